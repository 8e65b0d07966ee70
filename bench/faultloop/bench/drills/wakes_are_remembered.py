"""Follow-up and steering wake an idle loop, an injection does not, and no wake is forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play
from faultloop.loop.events import InputClaimed, TurnStarted
from faultloop.loop.run_events import AnyRunEvent, StepClosed, TurnOver, WentIdle

MOMENTS: tuple[type[AnyRunEvent], ...] = (StepClosed, TurnOver, WentIdle)
"""When, in a run that is ending, the wake comes: the last step is over, the turn, all of it."""


def run(kit: Kit) -> Iterator[str]:
    """Each kind of input meets an idle loop; then a follow-up comes at each moment of the end."""
    for kind, wakes in (("inject", False), ("steer", True), ("follow_up", True)):
        session = Session(kit, say("ok"))
        turns = play(partial(_idle, session, kind))
        if bool(turns) is not wakes:
            yield f"an idle loop that got {kind} began {turns} turns"
    for moment in MOMENTS:
        for way in ("follow_up", "steer"):
            session = Session(kit, say("one"), say("two"))
            play(partial(_ending, session, moment, way))
            if "late" not in {event.id for event in session.of(InputClaimed)}:
                yield f"a {way} that came at {moment.__name__} was forgotten"


async def _idle(session: Session, kind: str) -> int:
    agent = session.agent()
    await agent.open()
    match kind:
        case "inject":
            await agent.inject("news", source="job")
        case "steer":
            await agent.steer("news")
        case _:
            await agent.follow_up("news")
    await asyncio.sleep(1)
    await agent.idle()
    return len(session.of(TurnStarted))


async def _ending(session: Session, moment: type[AnyRunEvent], way: str) -> None:
    said: list[str] = []

    async def listen(event: AnyRunEvent) -> None:
        if isinstance(event, moment) and not said:
            said.append(way)
            await (agent.steer if way == "steer" else agent.follow_up)("late", input_id="late")

    agent = session.agent()
    agent.subscribe(listen)
    await agent.prompt("go")
    await agent.idle()


DRILL = Drill(
    name="wakes-are-remembered",
    claim="steering and follow-ups wake an idle loop, injections do not, and no wake is forgotten",
    claims=("I4", "L9"),
    evidence="journal",
    run=run,
)
