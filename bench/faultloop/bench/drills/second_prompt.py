"""One turn at a time: a second prompt is refused or queued, and never runs beside the first."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import pairwise

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play
from faultloop.bench.drills.kit.toys import Gate
from faultloop.loop.engine import Busy
from faultloop.loop.events import InputQueued, TurnEnded, TurnStarted


def run(kit: Kit) -> Iterator[str]:
    """A prompt comes while the first one's reply is awaited, under both policies."""
    refusing, refused = _two(kit, "refuse")
    if not refused:
        yield "a second prompt was taken while a turn was running, though policy refuses it"
    if [event.text for event in refusing.of(InputQueued)] != ["first"]:
        yield "a refused prompt was queued all the same"
    yield from _one_at_a_time(refusing)
    queueing, refused = _two(kit, "queue")
    if refused:
        yield "a second prompt was refused, though policy queues it"
    if (turns := len(queueing.of(TurnEnded))) != 2:
        yield f"two prompts, the second one queued, made {turns} turns"
    yield from _one_at_a_time(queueing)


def _two(kit: Kit, policy: str) -> tuple[Session, bool]:
    gate = Gate()
    session = Session(kit, say("one", gate), say("two"), second_prompt=policy)

    async def story() -> bool:
        agent = session.agent()
        first = asyncio.ensure_future(agent.prompt("first"))
        await gate.reached.wait()
        second = asyncio.ensure_future(agent.prompt("second"))
        await asyncio.wait([second], timeout=1)
        gate.open()
        ended = await asyncio.gather(first, second, return_exceptions=True)
        return isinstance(ended[1], Busy)

    return session, play(story)


def _one_at_a_time(session: Session) -> Iterator[str]:
    """In the journal turns follow each other; on the wire a request waits for the one before it."""
    marks = [event for event in session.events if isinstance(event, TurnStarted | TurnEnded)]
    for before, after in pairwise(marks):
        if isinstance(before, TurnStarted) and isinstance(after, TurnStarted):
            yield f"turn {after.turn} began while turn {before.turn} was open"
    if session.model.most > 1:
        yield f"{session.model.most} requests were under way at once in one session"


DRILL = Drill(
    name="second-prompt",
    claim="a prompt that comes while a turn runs is refused or queued, never run beside it",
    claims=("L14",),
    evidence="journal",
    run=run,
)
