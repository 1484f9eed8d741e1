"""The echo tool: payloads that a careless framing would break, a large one, and many at once."""

import time

import anyio

from report import check, describe_error

BIG = 1_000_000

HARD_TO_FRAME = [
    "",
    "a\nb\r\nc",
    "\u2028\u2029\u0085",
    "\x00\x01\x1f",
    "h\u00e9llo \u4f60\u597d \U0001f468\u200d\U0001f469\u200d\U0001f467",
    '"\\/\b\f\t',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
]


async def run(report, connection, calls):
    async def simple():
        return {"text": await connection.echo("hello")}

    async def framing():
        for message in HARD_TO_FRAME:
            await connection.echo(message)
        return {"messages": len(HARD_TO_FRAME)}

    async def big():
        await connection.echo("x" * BIG)
        return {"bytes": BIG}

    async def concurrent():
        failures = []

        async def call(number):
            try:
                await connection.echo(f"call {number} {'y' * (number % 97)} end")
            except Exception as error:
                failures.append(describe_error(error))

        start = time.monotonic()
        async with anyio.create_task_group() as group:
            for number in range(calls):
                group.start_soon(call, number)
        check(not failures, f"{len(failures)} of {calls} calls failed, first: {failures[:1]}")
        return {"calls": calls, "callsPerSecond": round(calls / (time.monotonic() - start))}

    await report.step("echo", simple)
    await report.step("echo framing", framing)
    await report.step("echo big", big)
    await report.step("echo concurrent", concurrent)
