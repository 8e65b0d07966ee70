"""Each call's way is in the journal: queued, then started and completed, or not executed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.bench.drills.kit.toys import SAFE
from faultloop.loop.events import (
    CallEnded,
    CallNotExecuted,
    CallStarted,
    ItemCommitted,
    MessageCommitted,
)

ASKS = (
    Ask("look", '{"x":"a"}'),
    Ask("look", '{"x":"b"}'),
    Ask("look", '{"x":3}'),
    Ask("nobody"),
    Ask("breaks"),
)
EXPECTED = {
    "1/1/0": "queued started completed",
    "1/1/1": "queued started completed",
    "1/1/2": "queued not_executed",
    "1/1/3": "queued not_executed",
    "1/1/4": "queued started completed",
}
"""By the call's place: two good reads, wrong arguments, no such tool, one that raises."""


def run(kit: Kit) -> Iterator[str]:
    """A batch that holds all sorts of calls."""
    runs = Counter[str]()

    def breaks(args: object, context: object) -> str:
        raise RuntimeError("no such host")

    look, broken = toy(kit, "look", **SAFE), toy(kit, "breaks", breaks)
    session = Session(kit, call(*ASKS), say("ok"), tools=[look, broken])

    async def story() -> None:
        await session.agent().prompt("go")

    play(story)
    runs.update(look=len(look.runs), breaks=len(broken.runs))
    for name, states in EXPECTED.items():
        if (seen := " ".join(_states(session, name))) != states:
            yield f"call {name} went [{seen}] by the journal, not [{states}]"
    started = Counter(event.tool for event in session.of(CallStarted))
    if started != runs:
        yield f"the journal has starts of {dict(started)}, but run were {dict(runs)}"


def _states(session: Session, call_: str) -> Iterator[str]:
    """A call is queued by its message, or where execution starts per item by its own item."""
    index = int(call_.rpartition("/")[2])
    items = 0
    for event in session.events:
        match event:
            case ItemCommitted():
                if items == index:
                    yield "queued"
                items += 1
            case MessageCommitted() if items <= index < len(event.message.calls):
                yield "queued"
            case CallStarted(call=name) if name == call_:
                yield "started"
            case CallEnded(call=name) if name == call_:
                yield "completed"
            case CallNotExecuted(call=name) if name == call_:
                yield "not_executed"
            case _:
                pass


DRILL = Drill(
    name="calls-have-states",
    claim="the journal has each call's states: queued, started and completed, or not executed",
    claims=("S4", "D1"),
    evidence="journal",
    run=run,
)
