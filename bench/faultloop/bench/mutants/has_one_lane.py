"""A loop with one queue: whatever comes enters with the next request."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import Lane, Source


class HasOneLane(Agent):
    """Tells no lane from another."""

    async def _arrive(
        self,
        text: str,
        *,
        lane: Lane,
        input_id: str | None,
        source: Source = "user",
        wakes: bool = True,
    ) -> str | None:
        """Queue it for the next step."""
        return await super()._arrive(
            text, lane="next_step", input_id=input_id, source=source, wakes=wakes
        )


MUTANT = Mutant(
    name="has-one-lane",
    does="lets follow-ups, jobs and interrupts in through one lane",
    claims=("I1", "I3"),
    drills=("lanes-are-kept",),
    agent=HasOneLane,
)
