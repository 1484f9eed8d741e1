"""The small methods beside tools, resources and prompts."""

import re

from connection import sdk
from report import check, removed_in


async def ping(report, connection):
    async def body():
        if connection.is_modern:
            raise removed_in(connection.revision)
        await connection.client.send_ping()

    await report.step("ping", body)


async def run(report, connection):
    async def complete():
        connection.expect_capability("completions")
        reference, argument = something_to_complete(connection)
        result = await connection.client.complete(reference, {"name": argument, "value": ""})
        return {"values": result.completion.values[:5]}

    await report.step("completion/complete", complete)


def something_to_complete(connection):
    """A reference and the name of one of its arguments."""
    prompts = [prompt for prompt in connection.prompts if prompt.get("arguments")]
    for prompt in sorted(prompts, key=lambda prompt: "complet" not in prompt["name"]):
        reference = sdk.types.PromptReference(type="ref/prompt", name=prompt["name"])
        return reference, prompt["arguments"][0]["name"]
    for template in connection.templates:
        uri = template["uriTemplate"]
        if variable := re.search(r"\{(\w+)\}", uri):
            return sdk.types.ResourceTemplateReference(type="ref/resource", uri=uri), variable[1]
    raise AssertionError("there is an argument to complete")
