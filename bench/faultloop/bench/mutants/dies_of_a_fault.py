"""A loop that a fault of its own ends: it raises, and leaves the turn as it was."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent


class DiesOfAFault(Agent):
    """Hands its faults on."""

    async def faulted(self, fault: Exception) -> None:
        """Raise it."""
        raise fault


MUTANT = Mutant(
    name="dies-of-a-fault",
    does="raises out of the loop and leaves the turn open",
    claims=("L3", "L5"),
    drills=("faults-close-the-turn",),
    agent=DiesOfAFault,
)
