"""What the server tells of unasked, or once it was asked to: changes and log messages."""

from contextlib import asynccontextmanager

from report import Skip, check
from wire import plain

LOGGED = "notifications/message"
UPDATED = "notifications/resources/updated"
LEVEL = "io.modelcontextprotocol/logLevel"
LISTS = ["tools", "prompts", "resources"]


async def run(report, connection):
    client, notifications = connection.client, connection.notifications

    async def logging():
        connection.expect_capability("logging")
        line = {"level": "notice", "text": "hello"}
        if connection.is_modern:
            await connection.use("log", line, meta={LEVEL: "debug"})
        else:
            await client.set_logging_level("debug")
            await connection.use("log", line)
        logged = (await notifications.next(LOGGED))["params"]
        check((logged["level"], logged["data"]) == ("notice", "hello"), f"it is logged, not: {logged}")

        # Below the level, or in the modern era unasked.
        if not connection.is_modern:
            await client.set_logging_level("error")
        await connection.use("log", line)
        await connection.echo("after the log message")
        check(notifications.untaken(LOGGED) == 0, "no message comes that is not wanted")

    async def subscribe():
        if not connection.capabilities.get("resources", {}).get("subscribe"):
            raise Skip("not declared")
        uri = connection.resources[0]["uri"]
        async with subscription(connection, uri):
            await connection.use("touch", {"uri": "text://another"})
            await connection.use("touch", {"uri": uri})
            updated = (await notifications.next(UPDATED))["params"]
            check(updated["uri"] == uri, f"{updated['uri']} is the resource {uri}")
        await connection.use("touch", {"uri": uri})
        await connection.echo("after the update")
        check(notifications.untaken(UPDATED) == 0, "no update comes that is not wanted")
        return {"uri": uri}

    async def list_changes():
        if not connection.capabilities.get("tools", {}).get("listChanged"):
            raise Skip("not declared")
        async with listening_to_lists(connection):
            for list in LISTS:
                await connection.use("change_list", {"list": list})
                await notifications.next(f"notifications/{list}/list_changed")
        if not connection.is_modern:
            return
        for list in LISTS:
            await connection.use("change_list", {"list": list})
        await connection.echo("after the changes")
        for list in LISTS:
            untaken = notifications.untaken(f"notifications/{list}/list_changed")
            check(untaken == 0, "no change is told that is not wanted")

    await report.step("logging", logging)
    await report.step("resources/subscribe", subscribe)
    await report.step("list changes", list_changes)


@asynccontextmanager
async def subscription(connection, uri):
    """A subscription in the way of the era."""
    client = connection.client
    if connection.is_modern:
        async with client.listen(resource_subscriptions=[uri]) as stream:
            honored = stream.honored.resource_subscriptions
            check(honored == [uri], f"{honored} is the resource {uri}")
            yield
        await connection.wire.until_cancelled(stream.subscription_id)
    else:
        await client.subscribe_resource(uri)
        yield
        await client.unsubscribe_resource(uri)


@asynccontextmanager
async def listening_to_lists(connection):
    """Before the modern era their changes are told unasked."""
    if not connection.is_modern:
        yield
        return
    filter = {f"{list}_list_changed": True for list in LISTS}
    async with connection.client.listen(**filter) as stream:
        honored = plain(stream.honored)
        check(len(honored) == len(LISTS), f"all lists are honored, not only {honored}")
        yield
    await connection.wire.until_cancelled(stream.subscription_id)
