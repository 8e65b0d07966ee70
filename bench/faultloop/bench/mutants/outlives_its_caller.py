"""A loop whose turn runs on when whoever prompted has stopped waiting."""

from __future__ import annotations

import asyncio

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent, TurnEnd, turn_end
from faultloop.loop.state import Turn


class OutlivesItsCaller(Agent):
    """Does not notice that nobody waits any more."""

    async def _driven(self, driver: asyncio.Task[Turn]) -> TurnEnd:
        """Wait for the driver, whose work nobody can stop by leaving."""
        return turn_end(await asyncio.shield(driver))


MUTANT = Mutant(
    name="outlives-its-caller",
    does="runs on when its caller has gone",
    claims=("X8",),
    drills=("nobody-listens",),
    agent=OutlivesItsCaller,
)
