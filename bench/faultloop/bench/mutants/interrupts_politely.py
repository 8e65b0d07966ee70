"""A loop that lets an interrupt wait in line until the work is done."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import Lane, Source


class InterruptsPolitely(Agent):
    """Fires nothing."""

    async def inject(
        self, text: str, *, source: Source, lane: Lane = "next_step", input_id: str | None = None
    ) -> str:
        """Queue an interrupt like anything else."""
        lane = "next_step" if lane == "interrupt" else lane
        return await super().inject(text, source=source, lane=lane, input_id=input_id)


MUTANT = Mutant(
    name="interrupts-politely",
    does="takes an interrupt for a remark",
    claims=("I1",),
    drills=("lanes-are-kept",),
    agent=InterruptsPolitely,
)
