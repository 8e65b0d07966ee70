"""A loop with goals that has to be told each time."""

from __future__ import annotations

from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.pursuing import Pursuing


class OneRound(Pursuing):
    """Lets a goal wake the loop once."""

    def is_due(self) -> bool:
        """Only the first round ever is."""
        return super().is_due() and self.goal is not None and self.goal.rounds == 0


class WaitsToBeToldAgain(Agent):
    """Takes the end of a turn for the end of the goal."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.pursuing = OneRound(self.recorder)


MUTANT = Mutant(
    name="waits-to-be-told-again",
    does="begins one round of a goal and stays idle, although rounds are left",
    claims=("G2", "O2", "L10"),
    breaks=("end_acceptable",),
    drills=("rounds-begin-when-due",),
    scenarios=("a-goal-wakes-the-idle-loop",),
    agent=WaitsToBeToldAgain,
)
