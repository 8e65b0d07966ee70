"""A goal's phase is durable; that it may wake the loop is not, and a restart takes it away."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from faultloop.bench.drills.kit.drill import Drill, Untested
from faultloop.bench.drills.kit.model import say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play
from faultloop.bench.drills.kit.toys import Gate
from faultloop.loop.events import GoalRound, GoalSet
from faultloop.loop.goals import Goal

WAIT_S = 600.0
"""Virtual seconds in which a goal that is armed would have begun a round."""


def run(kit: Kit) -> Iterator[str]:
    """The process dies in the first round of a goal; the session is opened again, and armed."""
    gate = Gate()
    session = Session(kit, say("a start", gate))

    async def before() -> None:
        agent = session.agent()
        await agent.set_goal("all green", rounds_max=3)
        await gate.reached.wait()

    play(before)
    if not session.of(GoalSet) or len(session.of(GoalRound)) != 1:
        raise Untested("the first round never began")
    cut = next(place for place, save in enumerate(session.saves) if save == len(session.store))
    crashed = session.crashed(cut, *(say("more") for _ in range(4)))

    async def after() -> tuple[Goal | None, int, int]:
        agent = crashed.agent()
        await agent.open()
        await agent.resume()
        await asyncio.sleep(WAIT_S)
        await agent.idle()
        rounds = len(crashed.of(GoalRound))
        goal = agent.goal
        if goal is not None and goal.rounds_left:
            await agent.arm_goal()
            await agent.idle()
        return goal, rounds, len(crashed.of(GoalRound))

    goal, rounds, armed = play(after)
    if goal is None or (goal.text, goal.phase) != ("all green", "active"):
        yield f"after the restart the goal is {goal}, not active as before"
    if rounds != 1:
        yield f"the goal was active and nobody had armed it again, but {rounds - 1} rounds began"
    if armed != 3:
        yield f"once armed again, the goal had {armed} of its 3 rounds"


DRILL = Drill(
    name="goals-need-arming",
    claim="a goal's phase survives a restart, and its being armed does not",
    claims=("G1",),
    evidence="journal",
    run=run,
)
