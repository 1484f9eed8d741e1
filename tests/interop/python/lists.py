"""Everything that can be listed, read and got."""

from answers import example_of
from connection import plain
from report import check

PAGE_LIMIT = 1000


async def run(report, connection):
    async def tools():
        connection.expect_capability("tools")
        connection.tools = await all_pages(connection.client.list_tools, "tools")
        for tool in connection.tools:
            check(tool["inputSchema"].get("type") == "object", f"{tool['name']} takes an object")
        return {"names": names_of(connection.tools)}

    async def resources():
        connection.expect_capability("resources")
        connection.resources = await all_pages(connection.client.list_resources, "resources")
        return {"names": names_of(connection.resources)}

    async def templates():
        connection.expect_capability("resources")
        connection.templates = await all_pages(
            connection.client.list_resource_templates, "resourceTemplates"
        )
        return {"names": names_of(connection.templates)}

    async def prompts():
        connection.expect_capability("prompts")
        connection.prompts = await all_pages(connection.client.list_prompts, "prompts")
        return {"names": names_of(connection.prompts)}

    async def read():
        check(connection.resources, "there is a resource to read")
        uri = connection.resources[0]["uri"]
        result = await connection.client.read_resource(uri)
        check(result.contents, "the resource has contents")
        return {"uri": uri}

    async def get():
        check(connection.prompts, "there is a prompt to get")
        prompt = connection.prompts[0]
        required = [part["name"] for part in prompt.get("arguments", []) if part.get("required")]
        result = await connection.client.get_prompt(
            prompt["name"], example_of({"required": required})
        )
        check(result.messages, "the prompt has messages")
        return {"name": prompt["name"]}

    await report.step("tools/list", tools)
    await report.step("resources/list", resources)
    await report.step("resources/templates/list", templates)
    await report.step("prompts/list", prompts)
    await report.step("resources/read", read)
    await report.step("prompts/get", get)


async def all_pages(list_page, key):
    items = []
    cursor = None
    for _ in range(PAGE_LIMIT):
        page = plain(await list_page(cursor=cursor))
        items += page[key]
        cursor = page.get("nextCursor")
        if cursor is None:
            return items
    raise AssertionError(f"{key} have no last page")


def names_of(items):
    return [item["name"] for item in items][:40]
