"""Tools that tell of changes: nothing has changed, but that is what clients have to be told of."""

from typing import Literal

from mcp.server.mcpserver import Context


def add(server):
    @server.tool()
    async def touch(uri: str, context: Context) -> str:
        """Tells those who subscribed to a resource that it has changed"""
        await context.notify_resource_updated(uri)
        return "touched"

    @server.tool()
    async def change_list(list: Literal["prompts", "resources", "tools"], context: Context) -> str:
        """Tells that a list has changed"""
        session = context.request_context.session
        ways = {
            "prompts": (context.notify_prompts_changed, session.send_prompt_list_changed),
            "resources": (context.notify_resources_changed, session.send_resource_list_changed),
            "tools": (context.notify_tools_changed, session.send_tool_list_changed),
        }
        # Each era has its own way; the other one tells nobody.
        for tell in ways[list]:
            await tell()
        return "changed"
