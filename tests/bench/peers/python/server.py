"""A server on the official Python SDK 2, for either era: the client's first message decides."""

import asyncio

from mcp.server.mcpserver import MCPServer

server = MCPServer("python-server", version="1.0.0", log_level="ERROR")


@server.tool(description="Gives back a message", structured_output=False)
async def echo(message: str) -> str:
    return message


# What follows is there to be compared, not measured. Its answers are those of our server `everything`.
@server.tool(description="Takes so many milliseconds", structured_output=False)
async def slow(ms: int) -> str:
    await asyncio.sleep(ms / 1000)
    return f"1 steps in {ms} ms"


@server.tool(description="Raises an exception", structured_output=False)
async def boom() -> str:
    raise RuntimeError("boom, as asked")


@server.tool(description="Prints to standard output", structured_output=False)
async def stray_print() -> str:
    print("a stray line")
    return "printed"


if __name__ == "__main__":
    server.run("stdio")
