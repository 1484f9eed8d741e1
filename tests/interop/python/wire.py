"""Watches the server's process and its messages, since a client does not tell of messages that nobody waits for."""

import json

import anyio


class Wire:
    def __init__(self):
        self.process = None
        self._requests = []
        self._cancelled = set()
        self._cancellation = anyio.Event()
        self._answered = set()
        self._progress = {}
        self._partial_line = b""

    def watch_next_process(self):
        """Both generations of the SDK start the server with `anyio.open_process`."""
        open_process = anyio.open_process

        async def watched_open_process(*arguments, **options):
            self.process = await open_process(*arguments, **options)
            self._watch_streams()
            return self.process

        anyio.open_process = watched_open_process

    def latest_request(self, method):
        return next(request for request in reversed(self._requests) if request["method"] == method)

    def is_answered(self, request):
        return request["id"] in self._answered

    def progress_of(self, request):
        """The latest progress that was told of a request."""
        return self._progress[request["params"]["_meta"]["progressToken"]]

    async def until_cancelled(self, request_id):
        """Waits for the client to cancel a request, which SDK 2 does some time after it has ended a subscription."""
        while request_id not in self._cancelled:
            await self._cancellation.wait()

    def kill(self):
        if self.process is not None and self.process.returncode is None:
            self.process.kill()

    def _watch_streams(self):
        stdin, stdout = self.process.stdin, self.process.stdout
        send, receive = stdin.send, stdout.receive

        async def watched_send(line):
            message = json.loads(line)
            if "method" in message and "id" in message:
                self._requests.append(message)
            await send(line)
            if message.get("method") == "notifications/cancelled":
                self._cancelled.add(message["params"]["requestId"])
                self._cancellation.set()
                self._cancellation = anyio.Event()

        async def watched_receive(max_bytes=65536):
            chunk = await receive(max_bytes)
            *lines, self._partial_line = (self._partial_line + chunk).split(b"\n")
            for line in lines:
                self._note(line)
            return chunk

        stdin.send, stdout.receive = watched_send, watched_receive

    def _note(self, line):
        try:
            message = json.loads(line)
        except ValueError:
            return  # The client reports it.
        if message.get("method") == "notifications/progress":
            parameters = message["params"]
            self._progress[parameters["progressToken"]] = parameters["progress"]
        elif "method" not in message and "id" in message:
            self._answered.add(message["id"])


def plain(model):
    """A model of either generation of the SDK as it looks on the wire."""
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)
