"""Before a turn ends a checkpoint runs; who goes on says so by policy, and the journal says why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.events import StepStarted, TurnEnded, TurnStarted
from faultloop.loop.hooks import GoOn, Hooks, Say
from faultloop.loop.state import Turn

SURE = "are you sure?"

WAYS: dict[tuple[str, str], bool] = {
    ("queue", "says"): True,
    ("queue", "answers"): False,
    ("callback", "answers"): True,
    ("queue", "is silent"): False,
    ("callback", "is silent"): False,
}
"""By policy and by what a stopping hook does: whether the turn goes on."""


def run(kit: Kit) -> Iterator[str]:
    """Each way under each policy, after a step with a call; then input that comes meanwhile."""
    for (policy, way), goes_on in WAYS.items():
        session = _stopped(kit, policy, way)
        steps = session.of(StepStarted)
        what = f"under {policy} a stopping hook that {way}"
        if len(steps) != (3 if goes_on else 2):
            yield f"{what} led to {len(steps)} steps, not to {3 if goes_on else 2}"
        if (turns := len(session.of(TurnEnded))) != 1:
            yield f"{what} made {turns} turns of one"
        if [step.cause for step in steps[:2]] != ["input", "results"]:
            yield f"the first steps are recorded as {[step.cause for step in steps[:2]]}"
        bases = [step.basis for step in steps]
        if bases[:2] != [("session/input/1",), ("1/1/0",)]:
            yield f"a prompt and a debt to tools are recorded on the basis of {bases[:2]}"
        if goes_on and len(bases) > 2 and bases[2] != ("session/input/2",):
            yield f"{what} went on, on the basis of {bases[2]}, not of the message it queued"
    yield from _meanwhile(kit)


def _stopped(kit: Kit, policy: str, way: str) -> Session:
    async def stopping(turn: Turn, say_next: Say) -> Any:
        if turn.step != 2:
            return None
        if way == "says":
            await say_next(SURE)
        return GoOn(SURE) if way == "answers" else None

    session = Session(kit, call(Ask("act")), say("done"), say("yes"), continuation=policy)
    session.tools = (toy(kit, "act"),)

    async def story() -> None:
        await session.agent(hooks=Hooks(stopping=(stopping,))).prompt("go")

    play(story)
    return session


def _meanwhile(kit: Kit) -> Iterator[str]:
    """The queue is read again after the hooks."""

    async def stopping(turn: Turn, say_next: Say) -> None:
        if turn.step == 1:
            await agent.steer("one more thing")

    session = Session(kit, say("done"), say("that too"))
    agent = session.agent(hooks=Hooks(stopping=(stopping,)))

    async def story() -> str:
        return (await agent.prompt("go")).text

    text = play(story)
    if (text, len(session.of(TurnStarted))) != ("that too", 1):
        yield f"input that came at the checkpoint was not heard in the turn, which said {text!r}"


DRILL = Drill(
    name="continuations-have-causes",
    claim="a checkpoint runs before a turn ends, and every continuation is recorded with its basis",
    claims=("L7", "L16"),
    evidence="journal",
    run=run,
)
