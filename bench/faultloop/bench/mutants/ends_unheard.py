"""A loop that is idle before those who listen for its end have heard of it."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.recorder import Recorder
from faultloop.loop.run_events import AnyRunEvent, WentIdle


class Hasty(Recorder):
    """Does not wait for who is told the end."""

    async def publish(self, event: AnyRunEvent) -> None:
        """Post it, and wait only where the run goes on."""
        if isinstance(event, WentIdle):
            self.delivery.post(event)
        else:
            await super().publish(event)


class EndsUnheard(Agent):
    """Is idle at once."""

    recording = Hasty


MUTANT = Mutant(
    name="ends-unheard",
    does="is idle before its end-of-run subscribers are through",
    claims=("L9", "E2"),
    drills=("idle-waits",),
    agent=EndsUnheard,
)
