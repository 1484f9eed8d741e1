"""Tools that make the server ask the client."""

import re

from answers import example_of
from connection import text_of
from lists import all_pages
from report import check


async def run(report, connection):
    await asks(report, connection, "sampling", "sampl")
    await asks(report, connection, "elicitation", "elicit")
    await asks(report, connection, "roots", "roots")
    await interview(report, connection)


async def interview(report, connection):
    """Asks for one thing after another: in the modern era in as many rounds, between which the client keeps what it has
    said."""

    async def body():
        result = await connection.call_tool("interview", {})
        text = text_of(result)
        check(not result.get("isError"), f"the interview succeeds, not: {text[:200]}")
        for answer in ["interop", "sampled by the driver", "file:///project"]:
            check(answer in text, f"{text} holds the answer {answer}")

    await report.step("interview", body)


async def asks(report, connection, kind, part_of_name):
    async def body():
        # Listed again, since a server may add such tools once it knows what the client can do.
        tools = await all_pages(connection.client.list_tools, "tools")
        tool = next((tool for tool in tools if is_asking(tool["name"], part_of_name)), None)
        check(tool, f'there is a tool with "{part_of_name}" in its name')
        result = await connection.call_tool(tool["name"], example_of(tool["inputSchema"]))
        check(not result.get("isError"), f"{tool['name']} succeeds, not: {text_of(result)[:200]}")
        check(connection.answers.asked[kind] > 0, "the client was asked")
        return {"tool": tool["name"], "text": text_of(result)[:100]}

    await report.step(kind, body)


def is_asking(name, part):
    return part in name and not re.search("async|url", name)
