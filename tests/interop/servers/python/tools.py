"""Tools that need nobody else."""

import warnings

import anyio
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import LoggingLevel

# Logging is deprecated, but still what clients have to take.
warnings.simplefilter("ignore", MCPDeprecationWarning)


def add(server):
    @server.tool()
    async def echo(message: str) -> str:
        """Gives the message back"""
        return message

    @server.tool()
    async def slow(ms: int, steps: int, context: Context) -> str:
        """Takes its time, and tells its progress"""
        for step in range(1, steps + 1):
            await anyio.sleep(ms / steps / 1000)
            await context.report_progress(step, steps)
        return f"took {ms} ms"

    @server.tool()
    async def log(level: LoggingLevel, text: str, context: Context) -> str:
        """Logs a text"""
        await context.log(level, text, logger_name="interop")
        return "logged"
