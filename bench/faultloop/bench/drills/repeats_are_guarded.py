"""Policy `repeat_guard`: the same call twice in one turn is refused, and pointed to its result."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.events import CallEnded, CallNotExecuted, MessageCommitted


def run(kit: Kit) -> Iterator[str]:
    """Twice the same in two steps, spelt in two ways, and once something else."""
    lines = (
        call(Ask("act", '{"x": "1"}')),
        call(Ask("act", '{"x":"1"}'), Ask("act", '{"x": "2"}')),
        say("done"),
    )
    session = Session(kit, *lines, repeat_guard=True)
    session.tools = (toy(kit, "act"),)
    play(partial(session.agent().prompt, "go"))
    ran = len(session.of(CallEnded))
    if ran != 2:
        yield f"{ran} calls were run, where two of the three differ"
    refused = [event for event in session.of(CallNotExecuted) if event.code == "REPEATED"]
    if len(refused) != 1:
        yield f"{len(refused)} calls were refused as repeated, where one repeats another"
    first = session.of(MessageCommitted)[0].message.calls[0].id
    for event in refused:
        if first not in event.result.content:
            yield f"the refusal does not name the earlier call {first}: {event.result.content!r}"


DRILL = Drill(
    name="repeats-are-guarded",
    claim="Under the repeat guard the same call is not run twice in a turn, and the model is "
    "pointed to the result that it has.",
    claims=("S7",),
    evidence="journal",
    run=run,
)
