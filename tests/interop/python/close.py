"""At the end of its input a server exits by itself, with 0, within the 2 s after which the SDK sends signals."""

import time

from report import check


async def run(report, connection):
    async def body():
        start = time.monotonic()
        await connection.close()
        status = connection.wire.process.returncode
        check(status is not None, "the server has exited")
        check(status >= 0, f"the server exits by itself, not by signal {-status}")
        check(status == 0, f"the server exits with 0, not {status}")
        return {"afterMs": round((time.monotonic() - start) * 1000)}

    await report.unlimited_step("close", body)
