"""A loop that any news wakes, also what was only meant to be known."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import Lane, Source


class WakesForEverything(Agent):
    """Does not sleep well."""

    async def inject(
        self, text: str, *, source: Source, lane: Lane = "next_step", input_id: str | None = None
    ) -> str:
        """Take it for steering."""
        if lane == "interrupt":
            return await super().inject(text, source=source, lane=lane, input_id=input_id)
        return await self._sent(text, lane, input_id)


MUTANT = Mutant(
    name="wakes-for-everything",
    does="begins a turn for an injection",
    claims=("I4",),
    drills=("wakes-are-remembered",),
    agent=WakesForEverything,
)
