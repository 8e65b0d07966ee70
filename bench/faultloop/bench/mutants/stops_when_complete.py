"""A loop that ends the turn at once when its goal is complete."""

from __future__ import annotations

from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import GoalPhase
from faultloop.loop.pursuing import Pursuing


class Abrupt(Pursuing):
    """Has nothing more to say."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent.recorder)
        self._agent = agent

    async def put(self, phase: GoalPhase, reason: str = "", *, goal: str | None = None) -> None:
        """Move the goal, and stop."""
        await super().put(phase, reason, goal=goal)
        self._agent.cancel("hook", "the goal is complete")


class StopsWhenComplete(Agent):
    """Leaves out the closing message."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.pursuing = Abrupt(self)


MUTANT = Mutant(
    name="stops-when-complete",
    does="cuts the turn in which a goal is completed",
    claims=("G3",),
    drills=("completing-is-durable-first",),
    agent=StopsWhenComplete,
)
