"""A loop that begins the next round whatever became of the last."""

from __future__ import annotations

from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import EndReason
from faultloop.loop.pursuing import Pursuing


class Stubborn(Pursuing):
    """Keeps its arms."""

    async def turn_over(self, end_reason: EndReason | None, fault: str) -> None:
        """Nothing follows from how a turn ended."""


class NeverLetsAGoalGo(Agent):
    """Fails, and tries again at once."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.pursuing = Stubborn(self.recorder)


MUTANT = Mutant(
    name="never-lets-a-goal-go",
    does="keeps a goal armed after an error, a cut reply or a block",
    claims=("G2",),
    drills=("rounds-begin-when-due",),
    agent=NeverLetsAGoalGo,
)
