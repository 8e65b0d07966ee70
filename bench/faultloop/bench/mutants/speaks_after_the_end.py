"""A loop whose last word comes after the end that it announced."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.recorder import Recorder
from faultloop.loop.run_events import AnyRunEvent, UsageCounted, WentIdle


class Accountant(Recorder):
    """Has the bill ready a little late."""

    async def publish(self, event: AnyRunEvent) -> None:
        """Tell it; after the end of all comes the sum."""
        await super().publish(event)
        if isinstance(event, WentIdle):
            spent = self.state.turn.spent
            await super().publish(
                UsageCounted(
                    attempt="",
                    input_tokens=spent.input_tokens,
                    output_tokens=spent.output_tokens,
                    cached_tokens=spent.cached_tokens,
                )
            )


class SpeaksAfterTheEnd(Agent):
    """Does not know when to stop."""

    recording = Accountant


MUTANT = Mutant(
    name="speaks-after-the-end",
    does="tells an event after the end event",
    claims=("E2",),
    drills=("state-before-subscribers",),
    agent=SpeaksAfterTheEnd,
)
