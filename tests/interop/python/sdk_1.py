"""SDK 1: revisions with a handshake only, up to 2025-11-25."""

from datetime import timedelta

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import McpError as ProtocolError

# The code of the SDK's own time-out: HTTP's.
REQUEST_TIMEOUT = 408
# Abandoning a call sends no cancellation: the driver has to.
CANCELS_BY_ITSELF = False


def seconds(number):
    return timedelta(seconds=number)


async def connect(stack, command, mode, answers, notifications):
    """Gives the client, its session, the revision and the server's capabilities."""
    if mode != "legacy":
        raise ValueError("SDK 1 has only --mode legacy")
    # No `env`: the server gets only what the SDK lets through, as under a real host.
    parameters = StdioServerParameters(command=command[0], args=command[1:])
    reader, writer = await stack.enter_async_context(stdio_client(parameters))
    session = await stack.enter_async_context(
        ClientSession(
            reader,
            writer,
            read_timeout_seconds=seconds(30),
            sampling_callback=answers.sampling,
            elicitation_callback=answers.elicitation,
            list_roots_callback=answers.roots,
            message_handler=notifications.receive,
            client_info=types.Implementation(name="interop", version="1.0.0"),
        )
    )
    result = await session.initialize()
    return session, session, result.protocolVersion, result.capabilities


async def cancel(session, request_id):
    parameters = types.CancelledNotificationParams(requestId=request_id, reason="the driver cancels")
    await session.send_notification(
        types.ClientNotification(
            types.CancelledNotification(method="notifications/cancelled", params=parameters)
        )
    )
