"""A stage for short stories: a scripted model, toy tools, and a loop that never really waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from faultloop.loop.contract import Contract
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent
from faultloop.loop.journal.memory import MemoryJournal
from faultloop.loop.message import Notice, ResultMessage
from faultloop.loop.policy import REFERENCE, Backoff, Policy
from faultloop.loop.providers.port import (
    CallDelta,
    Delta,
    EndDelta,
    FinishDelta,
    ModelRequest,
    TextDelta,
    UsageDelta,
)
from faultloop.loop.tools.port import ToolContext, ToolResult

T = TypeVar("T")

AT_ONCE = replace(
    REFERENCE,
    request_backoff=Backoff(retries_max=2, base_s=0.0, cap_s=0.0),
    tool_backoff=Backoff(retries_max=2, base_s=0.0, cap_s=0.0),
)
"""The reference, but for waits."""

Line = Sequence[Delta | Exception | asyncio.Event]
"""What the model does in one request: deltas, then perhaps trouble. An event is waited for."""


def say(text: str, finish: Any = "stop") -> Line:
    return [TextDelta(text), FinishDelta(finish, finish), UsageDelta(10, 5), EndDelta()]


def call(
    *calls: tuple[str, str], finish: Any = "tool_calls", text: str = "", same_id: str = ""
) -> Line:
    """Calls as (tool, arguments); ids are c0, c1, ... unless one is given for all."""
    deltas: list[Delta | Exception | asyncio.Event] = [TextDelta(text)] if text else []
    for index, (name, arguments) in enumerate(calls):
        deltas.append(CallDelta(index, id=same_id or f"c{index}", name=name, arguments=arguments))
    if finish is not None:
        deltas.append(FinishDelta(finish, finish))
    return [*deltas, UsageDelta(10, 5), *([EndDelta()] if finish is not None else [])]


class Scripted:
    """A model that says its lines, and remembers what it was asked."""

    def __init__(self, *lines: Line) -> None:
        self.lines = list(lines)
        self.requests: list[ModelRequest] = []
        self.closed = 0

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        self.requests.append(request)
        line = self.lines.pop(0) if self.lines else say("(nothing further)")
        try:
            for piece in line:
                if isinstance(piece, Exception):
                    raise piece
                if isinstance(piece, asyncio.Event):
                    await piece.wait()
                    continue
                yield piece
        finally:
            self.closed += 1

    @property
    def told(self) -> list[str]:
        """The results in the model's last request, in their order."""
        return [m.content for m in self.requests[-1].messages if isinstance(m, ResultMessage)]

    @property
    def notices(self) -> list[str]:
        """What the loop itself says in the model's last request."""
        return [m.text for m in self.requests[-1].messages if isinstance(m, Notice)]


Body = Callable[[dict[str, Any], ToolContext], Awaitable[ToolResult | str] | ToolResult | str]


@dataclass
class Toy:
    """A tool that notes each run. `body` is what it does; a text is a good result."""

    contract: Contract
    body: Body = lambda args, context: "done"
    runs: list[dict[str, Any]] = field(default_factory=list)
    contexts: list[ToolContext] = field(default_factory=list)

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        self.runs.append(args)
        self.contexts.append(context)
        result = self.body(args, context)
        if isinstance(result, Awaitable):
            result = await result
        return ToolResult(outcome="ok", content=result) if isinstance(result, str) else result


def toy(name: str, body: Body | None = None, **declared: Any) -> Toy:
    """A tool of one optional text parameter, `x`; undeclared means the careful side."""
    parameters = {"type": "object", "properties": {"x": {"type": "string"}}}
    contract = Contract(name=name, purpose="a toy", parameters=parameters, **declared)
    return Toy(contract) if body is None else Toy(contract, body)


@dataclass
class Story:
    """One session: its model, its tools, and a journal that outlives the agent."""

    model: Scripted
    tools: list[Toy]
    policy: Policy = AT_ONCE
    store: list[bytes] = field(default_factory=list)
    agent_class: type[Agent] = Agent
    options: dict[str, Any] = field(default_factory=dict)

    def agent(self, **options: Any) -> Agent:
        given: dict[str, Any] = {
            "provider": self.model,
            "tools": self.tools,
            "journal": MemoryJournal(self.store),
            "policy": self.policy,
            "session": "session",
            **self.options,
            **options,
        }
        return self.agent_class(**given)

    @property
    def events(self) -> list[AnyEvent]:
        return MemoryJournal(list(self.store)).load()

    @property
    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.events]

    def of(self, kind: type[T]) -> list[T]:
        return [event for event in self.events if isinstance(event, kind)]


class Held:
    """Landmarks at which the loop waits, once it is told to, until it is let go."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.open.set()

    async def reach(self, name: str, events: Sequence[AnyEvent] = ()) -> None:
        await self.open.wait()


def played(story: Coroutine[Any, Any, T]) -> T:
    """Play a story to its end; one that hangs fails."""

    async def bounded() -> T:
        async with asyncio.timeout(60):
            return await story

    return asyncio.run(bounded())
