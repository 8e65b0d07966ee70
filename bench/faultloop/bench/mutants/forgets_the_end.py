"""A loop whose turns, by its journal, start and never end."""

from collections.abc import Sequence

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, TurnEnded
from faultloop.loop.recorder import Recorder


class Endless(Recorder):
    """Does not write how a turn ended."""

    def persist(self, events: Sequence[AnyEvent]) -> None:
        """All but the ends of turns."""
        kept = [event for event in events if not isinstance(event, TurnEnded)]
        if kept:
            super().persist(kept)


class ForgetsTheEnd(Agent):
    """Ends in memory only."""

    recording = Endless


MUTANT = Mutant(
    name="forgets-the-end",
    does="does not journal the end of a turn",
    claims=("L5", "D7"),
    breaks=("turns_closed",),
    agent=ForgetsTheEnd,
)
