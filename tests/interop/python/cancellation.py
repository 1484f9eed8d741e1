"""A slow tool: its progress, its cancellation, its time-out."""

import anyio

from connection import sdk, text_of
from errors import is_timeout
from report import check

STEPS = 5

# The arguments of the slow tool, by the names that servers give it.
SLOW_TOOLS = {
    "slow": lambda milliseconds: {"ms": milliseconds, "steps": STEPS},
    "trigger-long-running-operation": lambda milliseconds: {
        "duration": milliseconds / 1000,
        "steps": STEPS,
    },
}


async def run(report, connection):
    async def progress():
        values = []

        async def on_progress(value, _total, _message):
            values.append(value)

        result = await call_slow(connection, 1000, on_progress=on_progress)
        check(not result.get("isError"), f"the slow tool succeeds, not: {text_of(result)}")
        check(values, "progress is told")
        check(values == sorted(set(values)), f"progress rises: {values}")
        return {"values": values}

    async def cancel():
        wire = connection.wire
        request = None

        async def on_progress(_value, _total, _message):
            # The first progress shows that the call is running by then.
            nonlocal request
            request = request or wire.latest_request("tools/call")
            scope.cancel()

        with anyio.CancelScope() as scope:
            await call_slow(connection, 2000, on_progress=on_progress)
        check(scope.cancelled_caught, "the call is abandoned before it ends")
        await connection.cancel(request)
        await connection.echo("after the cancellation", timeout=5)
        # A second call, begun later and as long, ends after the first would have.
        await call_slow(connection, 2000)
        check(not wire.is_answered(request), f"the cancelled request {request['id']} is not answered")
        told = wire.progress_of(request)
        check(told < STEPS, f"the cancelled request stops, not: progress {told} of {STEPS}")
        return {"id": request["id"], "progress": told}

    async def timeout():
        try:
            await call_slow(connection, 3000, timeout=0.3)
        except sdk.ProtocolError as error:
            check(is_timeout(error), f"the call times out, not: {error}")
            await connection.echo("after the time-out", timeout=5)
            return {"code": error.error.code}
        raise AssertionError("the call times out")

    await report.step("progress", progress)
    await report.step("cancel", cancel)
    await report.step("timeout", timeout)


async def call_slow(connection, milliseconds, timeout=20, on_progress=None):
    name = next((tool["name"] for tool in connection.tools if tool["name"] in SLOW_TOOLS), None)
    check(name, f"there is a slow tool: {' or '.join(SLOW_TOOLS)}")
    return await connection.call_tool(name, SLOW_TOOLS[name](milliseconds), timeout, on_progress)
