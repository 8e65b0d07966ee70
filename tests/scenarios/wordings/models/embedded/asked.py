"""Tools and questions that the tests of embedded models share."""

from __future__ import annotations

import asyncio
from typing import Any

from faultloop.loop.contract import Contract
from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.models.port import Model, Question
from faultloop.scenarios.wordings.task import Said


def tool(name: str, purpose: str = "", /, **face: Any) -> Contract:
    """A contract of which only the face matters; `path="The file."` declares no parameter, `of`
    does."""
    of: dict[str, Any] = face.pop("of", {})
    properties = {
        name: what if isinstance(what, dict) else {"type": "string", "description": what}
        for name, what in of.items()
    }
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return Contract(name=name, purpose=purpose, parameters=schema, **face)


READ = tool("read_file", "Read the text of a file.", of={"path": "The file."})
SEARCH = tool("search_text", "Find where words occur in files.", of={"words": "What to look for."})
LIST = tool("list_folder", "List the names in a folder.", of={"folder": "The folder."})
TOOLS = (READ, SEARCH, LIST)


def question(prompt: str, *contracts: Contract, **more: Any) -> Question:
    """A question with only a prompt, and these tools or the three above."""
    messages = (*more.pop("before", ()), Said(role="user", text=prompt))
    return Question(messages=messages, contracts=contracts or TOOLS, **more)


async def _answers(model: Model, questions: tuple[Question, ...]) -> list[Answer]:
    async with model:
        return [await model.answer(one) for one in questions]


def answers(model: Model, *questions: Question) -> list[Answer]:
    """What the model answers, opened once."""
    return asyncio.run(_answers(model, questions))


def called(model: Model, *questions: Question) -> list[str]:
    """The tool that the model calls for each; empty for no call."""
    return ["+".join(call.name for call in answer.calls) for answer in answers(model, *questions)]
