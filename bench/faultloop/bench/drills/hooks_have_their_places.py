"""Hooks are asked in order at each point, and one that raises or hangs leaves nothing open.

Nor does one that does not stop when it is told to: it is left behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, get_args

from msgspec.structs import replace

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.bench.drills.turns_frame_their_input import framed
from faultloop.loop.contract import Contract
from faultloop.loop.events import CallEnded, CallNotExecuted, HookFailed, TurnEnded
from faultloop.loop.hooks import Entering, Hooks, Point, Rerouted, Say
from faultloop.loop.message import AssistantMessage, Message, ResultMessage
from faultloop.loop.providers.port import Delta, ModelRequest, ProviderFailure, TextDelta
from faultloop.loop.state import Turn
from faultloop.loop.tools.port import ToolResult

ORDER = (
    *("pre_step", "context", "request", "stream", "request_error"),
    *("stream", "before_tool", "after_tool"),
    *("pre_step", "context", "request", "stream", "stopping"),
)
"""A request that fails once, a call, and a last word."""

ENDS: dict[str, str] = {
    "pre_step": "error",
    "context": "error",
    "request": "error",
    "stream": "error",
    "request_error": "completed",
    "before_tool": "completed",
    "after_tool": "completed",
    "stopping": "completed",
}
"""By the point at which a hook fails: how the turn ends. Where permission or validity is in
question the careful side is taken: a result that could not be looked over is withheld. The others
go on as if the hook had said nothing."""

HANGS_S = 10_000.0
"""Virtual seconds that a hook would like to have."""


def run(kit: Kit) -> Iterator[str]:
    """All points in one turn; then one hook after the other raises, and hangs; then a pipeline."""
    seen: list[str] = []
    session = _session(kit, _hooks(seen.append))
    if tuple(seen) != ORDER:
        yield f"the hooks were asked in the order {seen}, not {list(ORDER)}"
    yield from framed(session.events)
    for point in get_args(Point):
        for trouble in (_raises, _hangs):
            found = _session(kit, _hooks(lambda at: None, {point: trouble}))
            yield from _judged(f"a {point} hook that {trouble.__name__[1:]}", point, found)
    yield from _deaf(kit)
    yield from _pipeline(kit)


def _judged(what: str, point: str, session: Session) -> Iterator[str]:
    ends = [event.end_reason for event in session.of(TurnEnded)]
    if ends != [ENDS[point], "completed"]:
        yield f"with {what} the turns ended as {ends}, not as {[ENDS[point], 'completed']}"
    if not any(event.point == point for event in session.of(HookFailed)):
        yield f"of {what} the journal says nothing"
    yield from (f"with {what}: {sentence}" for sentence in framed(session.events))
    last = session.model.requests[-1].messages
    calls = [one.id for said in last if isinstance(said, AssistantMessage) for one in said.calls]
    told = [said.call_id for said in last if isinstance(said, ResultMessage)]
    if calls != told:
        yield f"with {what} the history was left open: calls {calls}, results {told}"
    results = [said.content for said in last if isinstance(said, ResultMessage)]
    if point == "after_tool" and "done" in results:
        yield f"the model was told a result in spite of {what}"
    if point == "before_tool" and session.tools[0].runs:
        yield f"a call ran in spite of {what}"


async def _raises(*given: object) -> Any:
    raise RuntimeError("the hook's own service is down")


async def _hangs(*given: object) -> Any:
    await asyncio.sleep(HANGS_S)


class _Deaf:
    """Hangs, and goes on when it is told to stop, until the story is over."""

    def __init__(self) -> None:
        self.over = False

    async def hangs(self, *given: object) -> Any:
        while not self.over:
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(HANGS_S)

    async def begins(self, request: ModelRequest) -> AsyncIterator[Delta]:
        yield TextDelta("so")
        await self.hangs()

    async def ends(self, request: ModelRequest) -> AsyncIterator[Delta]:
        try:
            yield TextDelta("so")
            await asyncio.sleep(HANGS_S)
        finally:
            await self.hangs()

    async def never_begins(self, request: ModelRequest) -> AsyncIterator[Delta]:
        await self.hangs()
        yield TextDelta("so")


def _deaf(kit: Kit) -> Iterator[str]:
    """Whatever does not stop is left behind after a grace, in the midst of an answer as well."""
    for point in get_args(Point):
        deaf = _Deaf()
        found = _session(kit, _hooks(lambda at: None, {point: deaf.hangs}), deaf)
        yield from _judged(f"a {point} hook that does not stop", point, found)
    for how in ("never_begins", "begins", "ends"):
        deaf = _Deaf()
        hooks = _hooks(lambda at: None, {"stream": getattr(deaf, how)})
        yield from _judged(f"a deaf stream ({how})", "stream", _session(kit, hooks, deaf))


def _session(kit: Kit, hooks: Hooks, deaf: _Deaf | None = None) -> Session:
    """A turn through all points, and another one without any hook."""
    down = ProviderFailure("unavailable", "503")
    lines = ([down], call(Ask("act")), say("ok"), say("again"))
    session = Session(kit, *lines, hook_timeout_s=5.0, stall_s=20.0)
    session.tools = (toy(kit, "act"),)

    async def story() -> None:
        await session.agent(hooks=hooks).prompt("go")
        await session.agent().prompt("go on")
        if deaf is not None:
            deaf.over = True

    play(story)
    return session


def _hooks(
    seen: Callable[[str], None], instead: dict[str, Callable[..., Any]] | None = None
) -> Hooks:
    """A hook at each point, which says that it was there and changes nothing."""

    def pre_step(entering: Entering) -> Entering:
        seen("pre_step")
        return entering

    def context(messages: tuple[Message, ...]) -> Sequence[Message]:
        seen("context")
        return messages

    def request(going: Rerouted) -> Rerouted:
        seen("request")
        return going

    def stream(request: ModelRequest) -> AsyncIterator[Delta] | None:
        seen("stream")
        return None

    def request_error(failure: ProviderFailure, failures: int) -> None:
        seen("request_error")

    def before_tool(contract: Contract, args: dict[str, Any]) -> None:
        seen("before_tool")

    def after_tool(contract: Contract, result: ToolResult) -> ToolResult:
        seen("after_tool")
        return result

    def stopping(turn: Turn, say_next: Say) -> None:
        seen("stopping")

    usual: dict[str, Callable[..., Any]] = {
        "pre_step": pre_step,
        "context": context,
        "request": request,
        "stream": stream,
        "request_error": request_error,
        "before_tool": before_tool,
        "after_tool": after_tool,
        "stopping": stopping,
    }
    return Hooks(**{point: (hook,) for point, hook in (usual | (instead or {})).items()})


def _pipeline(kit: Kit) -> Iterator[str]:
    """Each hook is handed what the one before it made; only valid calls come to one."""

    def adds(mark: str, contract: Contract, result: ToolResult) -> ToolResult:
        return replace(result, content=result.content + mark)

    def before(contract: Contract, args: dict[str, Any]) -> None:
        asked.append(args)

    asked: list[dict[str, Any]] = []
    both = (partial(adds, " one"), partial(adds, " two"))
    session = Session(kit, call(Ask("act", '{"x":3}'), Ask("act", '{"x":"a"}')), say("ok"))
    session.tools = (toy(kit, "act"),)
    hooks = Hooks(before_tool=(before,), after_tool=both)
    play(partial(session.agent(hooks=hooks).prompt, "go"))
    if asked != [{"x": "a"}]:
        yield f"before_tool was asked about {asked}, though one call was valid"
    results = [event.result.content for event in session.of(CallEnded)]
    if results != ["done one two"] or len(session.of(CallNotExecuted)) != 1:
        yield f"two after_tool hooks made {results} of a result"


DRILL = Drill(
    name="hooks-have-their-places",
    claim="hooks are asked in order at each point; one that raises or hangs leaves nothing open",
    claims=("L13", "L3"),
    evidence="journal",
    run=run,
)
