"""SDK 2: `legacy` shakes hands, `auto` (its default) asks server/discover first, on the same pipe, and `modern` is
pinned to 2026-07-28."""

import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError as ProtocolError

MODERN = "2026-07-28"
# The code of the SDK's own time-out.
REQUEST_TIMEOUT = -32001
CANCELS_BY_ITSELF = True


def seconds(number):
    return float(number)


async def connect(stack, command, mode, answers, notifications):
    """Gives the client, its session, the revision and the server's capabilities."""
    # No `env`: the server gets only what the SDK lets through, as under a real host.
    parameters = StdioServerParameters(command=command[0], args=command[1:])
    client = Client(
        parameters,
        mode=MODERN if mode == "modern" else mode,
        read_timeout_seconds=seconds(30),
        sampling_callback=answers.sampling,
        elicitation_callback=answers.elicitation,
        list_roots_callback=answers.roots,
        message_handler=notifications.receive,
        client_info=types.Implementation(name="interop", version="1.0.0"),
    )
    await stack.enter_async_context(client)
    capabilities = client.server_capabilities
    if mode == "modern":
        # A pinned revision is adopted without asking what the server can do.
        discovered = await client.session.send_discover(MODERN)
        capabilities = types.DiscoverResult.model_validate(discovered).capabilities
    return client, client.session, str(client.protocol_version), capabilities
