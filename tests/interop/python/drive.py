"""Drives a stdio server with an official Python client: whichever `mcp` package is installed.

    python drive.py [--mode legacy|auto|modern] [--era legacy|modern] [--calls NUMBER] -- COMMAND [ARGUMENT ...]

`--mode` is what the client tries, `--era` is what has to come of it.
Exit code: 0 when no step failed, 1 when one did, 2 for a wrong command line, 3 when the whole run hung.
"""

import argparse
import asyncio
import logging
import os
import sys
import warnings

import asks
import cancellation
import changes
import close
import echo
import errors
import lists
import utilities
from connection import Connection
from report import Report

RUN_LIMIT_SECONDS = 180


def main():
    # The SDK warns of what later revisions remove, and logs what the steps provoke.
    warnings.simplefilter("ignore")
    logging.basicConfig(level=logging.CRITICAL)

    options = read_command_line()
    report = Report()
    connection = Connection(options.command, options.mode, options.era)
    asyncio.run(drive_within_limit(report, connection, options.calls))
    sys.exit(report.summarize())


async def drive_within_limit(report, connection, calls):
    try:
        await asyncio.wait_for(drive(report, connection, calls), RUN_LIMIT_SECONDS)
    except TimeoutError:
        report.fail("run limit", {"message": f"the run took more than {RUN_LIMIT_SECONDS} s"})
        connection.wire.kill()
        # Whatever hangs must not hang the exit too.
        os._exit(3)


async def drive(report, connection, calls):
    await report.unlimited_step("connect", connection.open)
    if not connection.is_open:
        return
    await utilities.ping(report, connection)
    await lists.run(report, connection)
    await echo.run(report, connection, calls)
    await errors.run(report, connection)
    await cancellation.run(report, connection)
    await utilities.run(report, connection)
    await changes.run(report, connection)
    await asks.run(report, connection)
    await close.run(report, connection)


def read_command_line():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["legacy", "auto", "modern"], default="legacy")
    parser.add_argument("--era", choices=["legacy", "modern"])
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


main()
