"""A loop that works on whatever it was once told, paused or not."""

from __future__ import annotations

from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.pursuing import Pursuing


class Tireless(Pursuing):
    """Takes every goal for active and armed."""

    def is_due(self) -> bool:
        """Whether rounds are left."""
        goal = self.goal
        return goal is not None and goal.rounds_left > 0 and not self.recorder.state.inbox.wakes


class WorksOnPausedGoals(Agent):
    """Has no rest."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.pursuing = Tireless(self.recorder)


MUTANT = Mutant(
    name="works-on-paused-goals",
    does="begins rounds of a goal that is paused, blocked or complete",
    claims=("G2", "G1"),
    drills=("rounds-begin-when-due",),
    agent=WorksOnPausedGoals,
)
