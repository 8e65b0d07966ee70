"""The same id is taken once in a session, also after a restart, and lanes keep their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play
from faultloop.loop.engine import AlreadyTaken
from faultloop.loop.events import InputClaimed, InputQueued
from faultloop.loop.message import UserMessage


def run(kit: Kit) -> Iterator[str]:
    """Each input is sent twice, in another lane even, before and after it was claimed and after a
    restart; then every request's input must have its record."""
    session = Session(kit, *(say(f"reply {number}") for number in range(6)))

    async def before() -> None:
        agent = session.agent()
        await agent.open()
        for name in ("a", "b", "a", "c"):
            await agent.inject(f"job {name}", source="job", input_id=name)
        await agent.prompt("go", input_id="p")
        await agent.steer("job a, once more", input_id="a")
        await agent.idle()

    async def after() -> None:
        agent = session.agent()
        await agent.open()
        for name in ("b", "p"):
            await agent.follow_up("sent again after the restart", input_id=name)
        await agent.idle()
        with suppress(AlreadyTaken):
            await agent.prompt("go", input_id="p")

    play(before)
    play(after)
    queued = [event.id for event in session.of(InputQueued)]
    claimed = [event.id for event in session.of(InputClaimed)]
    for done, ids in (("queued", queued), ("claimed", claimed)):
        if again := {name: number for name, number in Counter(ids).items() if number > 1}:
            yield f"input was {done} more than once: {again}"
    if claimed != ["a", "b", "c", "p"]:
        yield f"the input was claimed in the order {claimed}, but first queued as a, b, c, p"
    recorded = {event.id: event.text for event in session.of(InputQueued)}
    for message in session.model.requests[-1].messages:
        if isinstance(message, UserMessage) and recorded.get(message.id) != message.text:
            yield f"the context holds {message.text!r} without a record of it"


DRILL = Drill(
    name="same-id-once",
    claim="the same id is taken once, across lanes and restarts, and lanes keep their order",
    claims=("I2",),
    evidence="journal",
    run=run,
)
