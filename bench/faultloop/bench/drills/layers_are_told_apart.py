"""Stream, batch, turn and activity stop one by one, each with what follows from it."""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.run_events import (
    AnyRunEvent,
    MessageEnded,
    StepClosed,
    ToolEnded,
    TurnOver,
    WentIdle,
)

EXPECTED = (
    "message",
    "tool",
    "step owes_request",
    "message",
    "step done",
    "turn completed",
    "message",
    "step done",
    "turn completed",
    "idle",
)
"""Two turns of one activity; the model says "done" three times, which stops nothing."""


def run(kit: Kit) -> Iterator[str]:
    """The model claims to be done while it calls a tool, and a follow-up waits behind the turn."""
    lines = (call(Ask("act"), text="All done and checked."), say("Done."), say("Really done."))
    session = Session(kit, *lines, tools=[toy(kit, "act")])

    async def story() -> None:
        agent = session.listened()
        await agent.open()
        await agent.inject("and then?", source="user", lane="next_turn")
        await agent.follow_up("go")
        await agent.idle()

    play(story)
    told = tuple(word for event in session.heard if (word := _word(event)))
    if told != EXPECTED:
        yield f"the layers were told as [{', '.join(told)}], not as [{', '.join(EXPECTED)}]"


def _word(event: AnyRunEvent) -> str:
    match event:
        case MessageEnded():
            return "message"
        case ToolEnded():
            return "tool"
        case StepClosed(why=why):
            return f"step {why}"
        case TurnOver(end_reason=reason):
            return f"turn {reason}"
        case WentIdle():
            return "idle"
        case _:
            return ""


DRILL = Drill(
    name="layers-are-told-apart",
    claim="the ends of stream, batch, turn and activity are told one by one, with what follows",
    claims=("L10", "L6"),
    evidence="journal",
    run=run,
)
