"""A server on the official Python SDK 2, for either era: the client's first message decides."""

from mcp.server.mcpserver import MCPServer

server = MCPServer("python-server", version="1.0.0", log_level="ERROR")


@server.tool(description="Gives back a message", structured_output=False)
async def echo(message: str) -> str:
    return message


if __name__ == "__main__":
    server.run("stdio")
