"""Completing a goal is in the journal before anybody is told, and the turn has its last word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, Line, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.events import CallEnded, GoalMoved, GoalRound, TurnEnded
from faultloop.loop.goals import Goal
from faultloop.loop.providers.port import ProviderFailure
from faultloop.loop.tools.port import ToolContext

CLOSINGS: dict[str, Line] = {
    "completed": say("All is green."),
    "error": [ProviderFailure("rejected", "400")],
}
"""By the end of the turn: how the closing message fares."""


def run(kit: Kit) -> Iterator[str]:
    """A call completes the goal in its first round; then the closing message comes, or does not."""
    for reason, closing in CLOSINGS.items():
        yield from _completed(kit, reason, closing)


def _completed(kit: Kit, reason: str, closing: Line) -> Iterator[str]:
    found: list[str] = []

    async def finish(args: dict[str, Any], context: ToolContext) -> str:
        await agent.pursuing.put("complete", "seen")
        if not session.of(GoalMoved):
            found.append("completing returned before it was in the journal")
        return "The goal is complete now."

    session = Session(kit, call(Ask("finish")), closing, *(say("once more") for _ in range(3)))
    session.tools = (toy(kit, "finish", finish),)
    agent = session.agent()

    async def story() -> Goal | None:
        await agent.set_goal("all green", rounds_max=3)
        await agent.idle()
        return agent.goal

    goal = play(story)
    yield from found
    after = f"after a closing message that ended the turn as {reason}"
    if len(session.model.requests) != 2:
        yield f"completing cut the turn, or did not end it: {len(session.model.requests)} requests"
    if (ends := [event.end_reason for event in session.of(TurnEnded)]) != [reason]:
        yield f"{after} the turns ended as {ends}"
    if goal is None or goal.phase != "complete":
        yield f"{after} the goal is {goal and goal.phase}"
    if (rounds := len(session.of(GoalRound))) != 1:
        yield f"{after} the goal had {rounds} rounds"
    if not session.position(GoalMoved) < session.position(CallEnded):
        yield "the model was told that the goal is complete before the journal had it"


DRILL = Drill(
    name="completing-is-durable-first",
    claim="completing is durable first, cuts no turn, and survives a closing message that fails",
    claims=("G3",),
    evidence="journal",
    run=run,
)
