"""Two resources, a template, and a prompt whose argument can be completed."""

from mcp_types import Completion

LANGUAGES = ["English", "Esperanto", "French", "German", "Greek"]


def add(server):
    @server.resource("text://greeting")
    def greeting() -> str:
        return "hello"

    @server.resource("data://bytes")
    def data() -> bytes:
        return bytes([0, 1, 2, 3])

    @server.resource("number://{number}")
    def number(number: int) -> str:
        return f"the number {number}"

    @server.prompt()
    def greet(language: str) -> str:
        """Asks for a greeting"""
        return f"Please greet me in {language}."

    @server.completion()
    async def complete(reference, argument, context):
        known = getattr(reference, "name", None) == "greet" and argument.name == "language"
        begun = argument.value.lower()
        return Completion(values=[name for name in LANGUAGES if known and name.lower().startswith(begun)])
