"""A loop that takes a turn which its process left behind for one that was done."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, TurnEnded
from faultloop.loop.recorder import Recorder


class Hopeful(Recorder):
    """Sees no interruption."""

    async def record(self, events: Sequence[AnyEvent]) -> None:
        """The closures, with a nicer end."""
        await super().record(
            [
                replace(event, end_reason="completed") if isinstance(event, TurnEnded) else event
                for event in events
            ]
        )


class RecoversAsCompleted(Agent):
    """Believes that all was well."""

    recording = Hopeful


MUTANT = Mutant(
    name="recovers-as-completed",
    does="closes a turn of a vanished process as completed",
    claims=("D7", "L11"),
    drills=("recovery-closes-turns",),
    agent=RecoversAsCompleted,
)
