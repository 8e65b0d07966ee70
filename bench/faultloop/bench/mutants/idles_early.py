"""A loop whose `idle` waits for what runs now, and for nothing that begins meanwhile."""

from __future__ import annotations

import asyncio

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent


class IdlesEarly(Agent):
    """Waits for one driver."""

    async def idle(self) -> None:
        """Wait until the run that is under way is over."""
        if self._driver is not None:
            await asyncio.wait([self._driver])


MUTANT = Mutant(
    name="idles-early",
    does="takes the end of one run for idleness",
    claims=("L9",),
    drills=("idle-waits",),
    agent=IdlesEarly,
)
