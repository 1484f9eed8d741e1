"""What a driver prints: one JSON object for each step, then a summary."""

import json
import time

import anyio

STEP_LIMIT_SECONDS = 60


class Skip(Exception):
    """Raised by a step that has nothing to do here, and that may be left out."""


def removed_in(revision):
    """For a step whose method the negotiated revision has removed."""
    return Skip(f"does not exist in {revision}")


def check(condition, message):
    """Like `assert`, but it also holds under `python -O`."""
    if not condition:
        raise AssertionError(message)


def describe_error(error):
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    code = getattr(getattr(error, "error", None), "code", None)
    return {"name": type(error).__name__, "code": code, "message": str(error)[:300]}


class Report:
    def __init__(self):
        self._counts = {"pass": 0, "skip": 0, "fail": 0}
        self._failed = []

    async def step(self, name, body):
        """Runs one step within the time limit."""

        async def within_limit():
            with anyio.fail_after(STEP_LIMIT_SECONDS):
                return await body()

        await self.unlimited_step(name, within_limit)

    async def unlimited_step(self, name, body):
        """Runs one step and prints how it ended. The body returns what is worth printing beside it.

        Without a time limit, since a limit must not be left while a task group that was entered in it is open.
        """
        start = time.monotonic()
        try:
            details = await body() or {}
            self._print(name, "pass", start, details)
        except Skip as skip:
            self._print(name, "skip", start, {"why": str(skip)})
        except Exception as error:
            self._print(name, "fail", start, {"error": describe_error(error)})

    def fail(self, name, details):
        """Prints a failure that no step stands for."""
        self._print(name, "fail", time.monotonic(), {"error": details})

    def summarize(self):
        """Prints the summary and gives the exit code that belongs to it."""
        status = "fail" if self._failed else "pass"
        print_line({"step": "summary", "status": status, **self._counts, "failed": self._failed})
        return 1 if self._failed else 0

    def _print(self, name, status, start, details):
        self._counts[status] += 1
        if status == "fail":
            self._failed.append(name)
        milliseconds = round((time.monotonic() - start) * 1000)
        print_line({"step": name, "status": status, "ms": milliseconds, **details})


def print_line(fields):
    print(json.dumps(fields, default=str), flush=True)
