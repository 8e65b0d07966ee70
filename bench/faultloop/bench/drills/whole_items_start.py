"""Where execution starts per item: only whole calls start, and what started is never lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import USAGE, Piece, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.bench.drills.kit.toys import Gate, Toy
from faultloop.loop.events import CallStarted, Event, ItemCommitted, MessageCommitted, TurnEnded
from faultloop.loop.message import FinishReason, ResultMessage
from faultloop.loop.providers.port import CallDelta, EndDelta, FinishDelta, ProviderFailure

A_WHILE_S = 60.0
"""Virtual seconds in which a loop starts what it wants to start."""

KNOBS: dict[str, Any] = {"starts": "each_item", "truncation": "end", "whole_batch": "per_call"}
"""Under a rule for the whole batch nothing starts before its last call is there."""

RESET = ProviderFailure("unavailable", "the connection was reset")


def run(kit: Kit) -> Iterator[str]:
    """A reply that stops for a while after its first call; then it goes on, is cut, or breaks."""
    yield from _goes_on(kit)
    yield from _in_pieces(kit)
    yield from _is_cut(kit)
    yield from _breaks(kit)


def _piece(index: int, arguments: str) -> CallDelta:
    return CallDelta(index, id=f"c{index}", name="act", arguments=arguments)


def _more(index: int, arguments: str) -> CallDelta:
    return CallDelta(index, arguments=arguments)


def _end(finish: FinishReason = "tool_calls") -> tuple[Piece, ...]:
    return (FinishDelta(finish, finish), USAGE, EndDelta())


class _Held:
    """A session whose first reply stops for a while at a gate, and what it did by then."""

    def __init__(self, kit: Kit, before: Sequence[Piece], after: Sequence[Piece]) -> None:
        gate = Gate()
        self.act: Toy = toy(kit, "act")
        line = (*before, gate, *after)
        self.session = Session(kit, line, say("ok"), tools=[self.act], **KNOBS)
        self.early: list[dict[str, Any]] = []
        """What had been run when the reply went on."""

        async def story() -> None:
            driving = asyncio.create_task(self.session.agent().prompt("go"))
            await gate.reached.wait()
            await asyncio.sleep(A_WHILE_S)
            self.early = list(self.act.runs)
            gate.open()
            await driving

        play(story)


def _goes_on(kit: Kit) -> Iterator[str]:
    held = _Held(kit, (_piece(0, '{"x":"a"}'), _piece(1, "")), (_more(1, '{"x":"b"}'), *_end()))
    if held.early != [{"x": "a"}]:
        yield f"before the reply went on, {held.early} was run, not its one whole call"
    if held.act.runs != [{"x": "a"}, {"x": "b"}]:
        yield f"of a whole reply with two calls, {held.act.runs} was run"
    order: list[type[Event]] = [ItemCommitted, CallStarted, MessageCommitted]
    places = [held.session.position(kind) for kind in order]
    if places != sorted(places):
        yield f"the journal has item, start and message at {places}, which is not their order"


def _in_pieces(kit: Kit) -> Iterator[str]:
    before = (_piece(0, '{"x":"rm'), _piece(1, '{"x":"b"}'), _piece(2, '{"x":'))
    after = (_more(0, ' notes"}'), _more(2, '"c"}'), *_end())
    held = _Held(kit, before, after)
    if held.early:
        yield f"{held.early} was run while the first call's arguments were still coming"
    if held.act.runs != [{"x": "rm notes"}, {"x": "b"}, {"x": "c"}]:
        yield f"of three calls that came in pieces, {held.act.runs} was run"


def _is_cut(kit: Kit) -> Iterator[str]:
    before = (_piece(0, '{"x":"a"}'), _piece(1, '{"x":"b'))
    held = _Held(kit, before, (_piece(2, ""), *_end("length")))
    if held.act.runs != [{"x": "a"}]:
        yield f"of a reply that turned out cut, {held.act.runs} was run, not what had started"
    ends = [event.end_reason for event in held.session.of(TurnEnded)]
    if ends != ["max_tokens"]:
        yield f"the turn whose reply was cut ended as {ends}"


def _breaks(kit: Kit) -> Iterator[str]:
    held = _Held(kit, (_piece(0, '{"x":"a"}'), _piece(1, "")), (RESET,))
    if held.act.runs != [{"x": "a"}]:
        yield f"around a stream that broke, {held.act.runs} was run, not its whole call once"
    if len(held.session.model.requests) != 2:
        yield f"after the break {len(held.session.model.requests)} requests were made, not two"
    elif held.session.model.texts(ResultMessage) != ["done"]:
        yield "the request after the break does not tell what the call that ran came to"


DRILL = Drill(
    name="whole-items-start",
    claim="where execution starts per item, each call starts once it is whole and never before, and"
    " what started stays whether its reply is then cut or breaks off",
    claims=("L4", "P1", "D1"),
    evidence="journal",
    run=run,
)
