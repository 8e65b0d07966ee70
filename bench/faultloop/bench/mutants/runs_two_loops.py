"""A loop that drives a second prompt beside the first, over one state."""

from __future__ import annotations

import asyncio

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent, TurnEnd


class RunsTwoLoops(Agent):
    """Has a driver for each prompt."""

    async def prompt(self, text: str, *, input_id: str | None = None) -> TurnEnd:
        """Drive at once, whoever drives already."""
        await self._arrive(text, lane="next_turn", input_id=input_id)
        self._driver = asyncio.ensure_future(self._activity())
        return await self._driven(self._driver)


MUTANT = Mutant(
    name="runs-two-loops",
    does="runs a second prompt beside the first",
    claims=("L14",),
    drills=("second-prompt",),
    agent=RunsTwoLoops,
)
