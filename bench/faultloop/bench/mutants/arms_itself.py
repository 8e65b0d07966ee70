"""A loop that goes after its goal again as soon as it is opened after a crash."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import EndReason


class ArmsItself(Agent):
    """Needs nobody to start it."""

    async def open(self) -> tuple[EndReason, ...]:
        """Open the session; a goal that is active is armed."""
        was_open = self._opened
        recovered = await super().open()
        if not was_open and self.goal is not None and self.goal.phase == "active":
            self.pursuing.armed = True
            self._wake()
        return recovered


MUTANT = Mutant(
    name="arms-itself",
    does="works on a goal after a restart though nobody armed it",
    claims=("G1",),
    drills=("goals-need-arming",),
    agent=ArmsItself,
)
