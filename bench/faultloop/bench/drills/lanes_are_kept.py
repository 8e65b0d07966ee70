"""Each lane at its time: an interrupt stops at once, a job enters a step, a follow-up a turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.events import InputClaimed, InputQueued, StepStarted, TurnStarted
from faultloop.loop.tools.port import ToolContext

PLACES = {
    "session/input/1": (1, 0),
    "job": (1, 1),
    "steer": (1, 1),
    "later": (2, 0),
    "latest": (3, 0),
}
"""Input, the turn that claims it, and the steps which that turn has had by then."""


def run(kit: Kit) -> Iterator[str]:
    """Everything comes while one call runs, in an order of its own; then an interrupt."""
    yield from _lanes(kit)
    yield from _interrupt(kit)


def _lanes(kit: Kit) -> Iterator[str]:
    async def body(args: dict[str, Any], context: ToolContext) -> str:
        await agent.follow_up("later", input_id="later")
        await agent.inject("the job is done", source="job", input_id="job")
        await agent.follow_up("latest", input_id="latest")
        await agent.steer("shorter", input_id="steer")
        if len(session.model.requests[0].messages) != 1:
            found.append("input went into the messages of a request that was under way")
        return "done"

    found: list[str] = []
    session = Session(kit, call(Ask("act")), say("one"), say("two"), say("three"))
    session.tools = (toy(kit, "act", body),)

    async def story() -> None:
        await agent.prompt("go")
        await agent.idle()

    agent = session.agent()
    play(story)
    yield from found
    if (places := _places(session)) != PLACES:
        wrong = {name: place for name, place in places.items() if PLACES.get(name) != place}
        yield f"claimed in another turn and step than its lane's: {wrong}, not as in {PLACES}"
    lanes = {event.id: (event.lane, event.source) for event in session.of(InputQueued)}
    expected = {"later": ("next_turn", "user"), "job": ("next_step", "job")}
    if any(lanes.get(name) != lane for name, lane in expected.items()):
        yield f"the journal has lanes and sources {lanes}"


def _places(session: Session) -> dict[str, tuple[int, int]]:
    places: dict[str, tuple[int, int]] = {}
    steps = 0
    for event in session.events:
        match event:
            case TurnStarted():
                steps = 0
            case StepStarted():
                steps += 1
            case InputClaimed():
                places[event.id] = (event.turn, steps)
            case _:
                pass
    return places


def _interrupt(kit: Kit) -> Iterator[str]:
    async def body(args: dict[str, Any], context: ToolContext) -> str:
        await agent.inject("permission withdrawn", source="system", lane="interrupt")
        if not context.cancelled.is_set():
            found.append("an interrupt did not fire the signal at once")
        return "done"

    found: list[str] = []
    session = Session(kit, call(Ask("act"), Ask("act")), say("ok"))
    act = toy(kit, "act", body)
    session.tools = (act,)

    async def story() -> None:
        await agent.prompt("go")
        await agent.prompt("and now?")

    agent = session.agent()
    play(story)
    yield from found
    if len(act.runs) != 1:
        yield f"{len(act.runs)} calls ran although the first was interrupted"
    if (said := session.model.said()) != ["go", "permission withdrawn", "and now?"]:
        yield f"after the interrupt the model heard {said}"


DRILL = Drill(
    name="lanes-are-kept",
    claim="an interrupt fires the signal at once, next_step enters the next request, next_turn "
    "waits for a normal end",
    claims=("I1", "I3", "X7"),
    evidence="journal",
    run=run,
)
