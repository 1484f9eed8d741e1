"""A stdio server on the official Python SDK 2, for either era: the client's first message decides."""

from mcp.server.mcpserver import MCPServer

import asks
import catalog
import changes
import tools


def main():
    server = MCPServer("interop-python", version="1.0.0", instructions="A peer for tests.", log_level="WARNING")
    tools.add(server)
    asks.add(server)
    catalog.add(server)
    changes.add(server)
    server.run("stdio")


if __name__ == "__main__":
    main()
