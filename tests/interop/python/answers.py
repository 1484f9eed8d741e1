"""What the client answers when the server asks, and how often it was asked."""


class Answers:
    def __init__(self, types):
        self.asked = {"sampling": 0, "elicitation": 0, "roots": 0}
        self._types = types

    async def sampling(self, _context, _parameters):
        self.asked["sampling"] += 1
        return self._types.CreateMessageResult.model_validate(
            {
                "role": "assistant",
                "model": "interop-model",
                "stopReason": "endTurn",
                "content": {"type": "text", "text": "sampled by the driver"},
            }
        )

    async def elicitation(self, _context, parameters):
        self.asked["elicitation"] += 1
        schema = parameters.model_dump(by_alias=True).get("requestedSchema")
        return self._types.ElicitResult(action="accept", content=example_of(schema))

    async def roots(self, _context):
        self.asked["roots"] += 1
        root = self._types.Root(uri="file:///project", name="interop")
        return self._types.ListRootsResult(roots=[root])


def example_of(schema):
    """The smallest object that an object schema accepts: its required properties only."""
    schema = schema or {}
    properties = schema.get("properties") or {}
    return {name: example_value(properties.get(name, {})) for name in schema.get("required") or []}


EXAMPLE_BY_FORMAT = {
    "date": "2026-01-01",
    "email": "someone@example.com",
    "uri": "https://example.com/",
}


def example_value(schema):
    if "enum" in schema:
        return schema["enum"][0]
    if "oneOf" in schema:
        return schema["oneOf"][0]["const"]
    match schema.get("type"):
        case "array":
            return []
        case "boolean":
            return True
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "object":
            return example_of(schema)
        case _:
            return EXAMPLE_BY_FORMAT.get(schema.get("format"), "interop")
