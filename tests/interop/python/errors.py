"""What does not exist is refused, not ignored."""

from connection import sdk
from report import check

METHOD_NOT_FOUND = -32601


async def run(report, connection):
    async def unknown_method():
        request = sdk.types.Request(method="interop/no-such-method", params={})
        try:
            await connection.request(request, sdk.types.EmptyResult)
        except sdk.ProtocolError as error:
            code = error.error.code
            check(code == METHOD_NOT_FOUND, f"{METHOD_NOT_FOUND}, not {code}: {error}")
            return {"code": code, "message": str(error)}
        raise AssertionError("an unknown method is refused")

    async def unknown_tool():
        """The revisions differ in how: a JSON-RPC error or a result with `isError`. Clients take both."""
        try:
            result = await connection.call_tool("no-such-tool", {})
        except sdk.ProtocolError as error:
            check(not is_timeout(error), "an unknown tool is refused, not ignored")
            return {"as": "JSON-RPC error", "code": error.error.code}
        check(result.get("isError") is True, "an unknown tool is an error")
        return {"as": "result with isError"}

    await report.step("unknown method", unknown_method)
    await report.step("unknown tool", unknown_tool)


def is_timeout(error):
    return error.error.code == sdk.REQUEST_TIMEOUT
