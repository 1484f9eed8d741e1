"""Tools that ask the client. The SDK asks in the way of the era, and calls the tool once it has the answer."""

from typing import Annotated

from mcp.server.mcpserver import Elicit, ElicitationResult, ListRoots, Resolve, Sample
from mcp_types import CreateMessageResult, ListRootsResult, SamplingMessage, TextContent
from pydantic import BaseModel


class Answer(BaseModel):
    answer: str


async def ask_user(question: str) -> Elicit[Answer]:
    return Elicit(question, Answer)


async def ask_model(prompt: str) -> Sample:
    return Sample([SamplingMessage(role="user", content=TextContent(type="text", text=prompt))], max_tokens=100)


async def ask_for_roots() -> ListRoots:
    return ListRoots()


def add(server):
    @server.tool()
    async def elicit(question: str, answer: Annotated[ElicitationResult[Answer], Resolve(ask_user)]) -> str:
        """Asks the user a question, and gives the answer"""
        return answer.model_dump_json()

    @server.tool()
    async def sampling(prompt: str, answer: Annotated[CreateMessageResult, Resolve(ask_model)]) -> str:
        """Asks the client's model, and gives the answer"""
        return answer.model_dump_json()

    @server.tool()
    async def list_roots(roots: Annotated[ListRootsResult, Resolve(ask_for_roots)]) -> str:
        """Gives the client's roots"""
        return roots.model_dump_json()
