"""A model and a clock that play a story in no time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from faultloop.loop.contract import Contract
from faultloop.loop.message import Call
from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.models.asking import Asked, Manner, ask
from faultloop.scenarios.wordings.models.port import Question
from faultloop.scenarios.wordings.task import Said

READ = Contract(
    name="read_file",
    purpose="Reads a file.",
    parameters={"type": "object", "properties": {"path": {"type": "string"}}},
)
FIND = Contract(name="find", purpose="Finds files.", parameters={"type": "object"})


def question(prompt: str = "Show me a.txt.", *contracts: Contract, sample: int = 0) -> Question:
    said = (Said(role="user", text=prompt),)
    return Question(messages=said, contracts=contracts or (READ, FIND), sample=sample)


def questions(count: int) -> dict[str, Question]:
    """By key; the prompt is the key."""
    return {f"{number:064}": question(f"{number:064}") for number in range(count)}


def calls(name: str, arguments: str = "{}") -> Answer:
    return Answer(calls=(Call(id="c", name=name, arguments=arguments),))


class Clock:
    """Time that passes when somebody sleeps, and as long as all do."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.now_s

    async def sleep(self, seconds: float) -> None:
        until_s = self.now_s + seconds
        self.slept.append(seconds)
        await asyncio.sleep(0)
        self.now_s = max(self.now_s, until_s)


Story = Callable[[Question, int], Answer]
"""From a question and how often it was asked before; may raise."""


@dataclass(kw_only=True)
class Played:
    """A model that plays a story."""

    story: Story = lambda question, times: calls("read_file")
    name: str = "played"
    identity: str = "played"
    deterministic: bool = False
    sees_order: bool = True
    gives_arguments: bool = True
    worth_keeping: bool = True
    asked: list[str] = field(default_factory=list)
    """Prompts, in their order, each attempt."""
    at_once: int = 0
    at_once_max: int = 0
    opened: int = 0

    async def answer(self, question: Question) -> Answer:
        times = self.asked.count(question.prompt)
        self.asked.append(question.prompt)
        self.at_once += 1
        self.at_once_max = max(self.at_once, self.at_once_max)
        await asyncio.sleep(0)
        self.at_once -= 1
        return self.story(question, times)

    async def __aenter__(self) -> Played:
        self.opened += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        self.opened -= 1


def asked(model: Played, count: int, clock: Clock | None = None, **manner: Any) -> Asked:
    """Ask `count` questions on a clock of their own."""
    clock = clock or Clock()
    how = Manner(now_s=clock.now, sleep=clock.sleep, **manner)
    return asyncio.run(ask(model, questions(count), how))
