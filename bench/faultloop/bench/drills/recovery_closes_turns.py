"""Wherever a crash leaves the journal, opening it closes the turn as interrupted, and just once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill, Untested
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.bench.drills.kit.toys import SAFE
from faultloop.bench.drills.turns_frame_their_input import framed
from faultloop.loop.events import CallEnded, CallNotExecuted
from faultloop.loop.evolving import replay


def run(kit: Kit) -> Iterator[str]:
    """A whole run is cut after each of its appends in turn, opened, and opened once more."""
    session = Session(kit, call(Ask("look"), Ask("act"), Ask("act")), say("ok"))
    session.tools = (toy(kit, "look", **SAFE), toy(kit, "act"))

    async def whole() -> None:
        await session.agent().prompt("go")

    play(whole)
    open_turns = 0
    for save in range(len(session.saves)):
        crashed = session.crashed(save, say("ok"))
        open_turns += replay(crashed.events).phase != "idle"
        yield from (f"cut after append {save}: {what}" for what in _opened(crashed))
    if open_turns < 3:
        raise Untested(f"only {open_turns} cuts left a turn open")


def _opened(session: Session) -> Iterator[str]:
    before = replay(session.events)
    owed = {record.call: record.stage for record in before.turn.open_calls}
    runs = sum(len(tool.runs) for tool in session.tools)

    async def opened() -> None:
        await session.agent().open()

    play(opened)
    length = len(session.store)
    play(opened)
    after = replay(session.events)
    if len(session.store) != length:
        yield f"opening it a second time wrote {len(session.store) - length} events"
    if sum(len(tool.runs) for tool in session.tools) != runs:
        yield "recovery ran a call"
    if after.phase != "idle":
        yield f"turn {after.turn.number} is still open"
    elif before.phase != "idle" and after.turn.end_reason != "interrupted":
        yield f"the open turn was closed as {after.turn.end_reason}"
    closed = _closed(session)
    for call_, stage in owed.items():
        kind = "completed" if stage == "started" else "not_executed"
        if closed.get(call_) != kind:
            yield f"call {call_} was {stage} and is now {closed.get(call_, 'open')}"
    if before.phase != "idle":
        yield from framed(session.events)


def _closed(session: Session) -> dict[str, Any]:
    closed: dict[str, Any] = {event.call: "completed" for event in session.of(CallEnded)}
    return closed | {event.call: "not_executed" for event in session.of(CallNotExecuted)}


DRILL = Drill(
    name="recovery-closes-turns",
    claim="recovery closes an open turn as interrupted and its open calls with it, exactly once",
    claims=("D7", "D2"),
    evidence="journal",
    run=run,
)
