"""A turn is journalled before it claims input, and ends exactly once, also without a step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from faultloop.bench.drills.kit.drill import Drill, Untested
from faultloop.bench.drills.kit.model import say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play
from faultloop.loop.events import (
    AnyEvent,
    InputClaimed,
    StepStarted,
    TurnEnded,
    TurnStarted,
)
from faultloop.loop.registry import Registry
from faultloop.loop.run_events import AnyRunEvent, TurnBegan


class Unreadable(Registry):
    """Tools whose faces cannot be had, so that no request can be assembled."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Raise."""
        raise RuntimeError("the server of these tools is gone")


def run(kit: Kit) -> Iterator[str]:
    """A good turn, one that is cancelled before its first step, one that cannot be assembled."""
    good = Session(kit, say("ok"))

    async def once() -> None:
        await good.agent().prompt("go")

    play(once)
    yield from framed(good.events)
    for name, session in (("cancelled", _cancelled(kit)), ("unassembled", _unassembled(kit))):
        if any(event.turn == 1 for event in session.of(StepStarted)):
            raise Untested(f"the {name} turn got as far as a step")
        if 1 not in {event.turn for event in session.of(TurnStarted)}:
            yield f"the {name} turn left no durable turn of zero steps"
        yield from framed(session.events)


def framed(events: list[AnyEvent]) -> Iterator[str]:
    """Where input stands outside of its turn, or a turn has not one end."""
    begun, ended = set[int](), Counter[int]()
    for place, event in enumerate(events):
        match event:
            case TurnStarted():
                begun.add(event.turn)
            case InputClaimed() if event.turn not in begun:
                yield f"input {event.id} was claimed at {place}, before turn {event.turn} began"
            case TurnEnded():
                ended[event.turn] += 1
            case _:
                pass
    for turn in sorted(begun):
        if ended[turn] != 1:
            yield f"turn {turn} has {ended[turn]} ends in the journal"


def _cancelled(kit: Kit) -> Session:
    session = Session(kit, say("ok"))

    def cancel(event: AnyRunEvent) -> None:
        if isinstance(event, TurnBegan) and event.turn == 1:
            agent.cancel()

    async def story() -> None:
        agent.subscribe(cancel)
        await agent.prompt("go")

    agent = session.agent()
    play(story)
    return session


def _unassembled(kit: Kit) -> Session:
    session = Session(kit, say("ok"))

    async def story() -> None:
        agent = session.agent()
        agent.tools = Unreadable()
        await agent.prompt("go")

    play(story)
    return session


DRILL = Drill(
    name="turns-frame-their-input",
    claim="a turn is journalled before it claims input and ends exactly once, even with no step",
    claims=("L5",),
    evidence="journal",
    run=run,
)
