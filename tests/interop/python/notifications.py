"""What the server tells of unasked: changes and log messages."""

import anyio

from wire import plain


class Notifications:
    def __init__(self):
        self._untaken = []
        self._arrived = anyio.Event()

    async def receive(self, message):
        """What a client hands over: notifications, and things that are none."""
        if not hasattr(message, "model_dump"):
            return
        self._untaken.append(plain(message))
        self._arrived.set()
        self._arrived = anyio.Event()

    async def next(self, method):
        """The next one with this method: the first that nobody has taken, or the first that comes."""
        while True:
            for notification in self._untaken:
                if notification["method"] == method:
                    self._untaken.remove(notification)
                    return notification
            await self._arrived.wait()

    def untaken(self, method):
        """How many with this method nobody has taken."""
        return sum(notification["method"] == method for notification in self._untaken)
