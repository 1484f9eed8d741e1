"""One client and its server, with the differences between the two generations of the SDK put away."""

import importlib.metadata
from contextlib import AsyncExitStack

from answers import Answers
from notifications import Notifications
from report import check
from wire import Wire, plain

if importlib.metadata.version("mcp").startswith("1."):
    import sdk_1 as sdk
else:
    import sdk_2 as sdk

MODERN = "2026-07-28"


class Connection:
    def __init__(self, command, mode, era):
        self.answers = Answers(sdk.types)
        self.notifications = Notifications()
        self.wire = Wire()
        self.client = None
        self.revision = None
        self.capabilities = {}
        self.tools = []
        self.resources = []
        self.templates = []
        self.prompts = []
        self._command = command
        self._mode = mode
        # The era that the session has to be of, if that is known.
        self._era = era
        self._stack = AsyncExitStack()

    async def open(self):
        self.wire.watch_next_process()
        try:
            client, session, revision, capabilities = await sdk.connect(
                self._stack, self._command, self._mode, self.answers, self.notifications
            )
        except BaseException:
            await self._stack.aclose()
            raise
        self.client, self._session, self.revision = client, session, revision
        self.capabilities = plain(capabilities)
        era = "modern" if self.is_modern else "legacy"
        check(self._era in (None, era), f"the session is {self._era}, not of {revision}")
        return {"revision": revision, "capabilities": list(self.capabilities)}

    async def close(self):
        await self._stack.aclose()

    @property
    def is_open(self):
        return self.client is not None

    @property
    def is_modern(self):
        return self.revision == MODERN

    def expect_capability(self, name):
        check(name in self.capabilities, f"the server declares the {name} capability")

    async def request(self, request, result_type, timeout=10):
        return plain(await self._session.send_request(request, result_type, sdk.seconds(timeout)))

    async def call_tool(self, name, arguments, timeout=30, on_progress=None, meta=None):
        result = await self.client.call_tool(
            name, arguments, sdk.seconds(timeout), progress_callback=on_progress, meta=meta
        )
        return plain(result)

    async def use(self, name, arguments, meta=None):
        """Calls a tool that has to succeed, and that the server has to have."""
        result = await self.call_tool(name, arguments, meta=meta)
        check(not result.get("isError"), f"{name} succeeds, not: {text_of(result)[:200]}")

    async def echo(self, message, timeout=30):
        """The echo tool's answer, which must hold the message unharmed."""
        result = await self.call_tool("echo", {"message": message}, timeout)
        check(not result.get("isError"), f"echo succeeds, not: {text_of(result)[:200]}")
        check(message in text_of(result), f"echo returns the {len(message)} characters it got")
        return text_of(result)

    async def cancel(self, request):
        """Tells the server of an abandoned call where the SDK does not do so by itself."""
        if not sdk.CANCELS_BY_ITSELF:
            await sdk.cancel(self._session, request["id"])


def text_of(result):
    """The text of a tool's result."""
    return "".join(part["text"] for part in result["content"] if part["type"] == "text")
