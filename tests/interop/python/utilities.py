"""The small methods beside tools, resources and prompts."""

import re

from connection import sdk
from report import Skip, check, removed_in


async def ping(report, connection):
    async def body():
        if connection.is_modern:
            raise removed_in(connection.revision)
        await connection.client.send_ping()

    await report.step("ping", body)


async def run(report, connection):
    async def set_level():
        if connection.is_modern:
            raise removed_in(connection.revision)
        connection.expect_capability("logging")
        await connection.client.set_logging_level("debug")

    async def complete():
        connection.expect_capability("completions")
        reference, argument = something_to_complete(connection)
        result = await connection.client.complete(reference, {"name": argument, "value": ""})
        return {"values": result.completion.values[:5]}

    async def subscribe():
        if not connection.capabilities.get("resources", {}).get("subscribe"):
            raise Skip("not declared")
        uri = connection.resources[0]["uri"]
        if connection.is_modern:
            async with connection.client.listen(resource_subscriptions=[uri]):
                pass
        else:
            await connection.client.subscribe_resource(uri)
            await connection.client.unsubscribe_resource(uri)
        return {"uri": uri}

    await report.step("logging/setLevel", set_level)
    await report.step("completion/complete", complete)
    await report.step("resources/subscribe", subscribe)


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
