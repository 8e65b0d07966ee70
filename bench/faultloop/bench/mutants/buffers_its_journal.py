"""A loop whose journal is written in batches: what was acknowledged may still be in memory."""

from collections.abc import Sequence

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, TurnEnded
from faultloop.loop.recorder import Recorder

BUFFER_EVENTS = 8


class Buffering(Recorder):
    """Writes when it is worth it."""

    held: tuple[AnyEvent, ...] = ()

    def persist(self, events: Sequence[AnyEvent]) -> None:
        """Some events at once, and all of them at a turn's end."""
        self.held += tuple(events)
        over = any(isinstance(event, TurnEnded) for event in events)
        if over or len(self.held) >= BUFFER_EVENTS:
            super().persist(self.held)
            self.held = ()


class BuffersItsJournal(Agent):
    """Loses more than the record being written."""

    recording = Buffering


MUTANT = Mutant(
    name="buffers-its-journal",
    does="acknowledges what it has not written yet, and loses it in a crash",
    claims=("D9", "D1", "I2"),
    breaks=("unknown_outcome_told", "journal_ahead"),
    agent=BuffersItsJournal,
    scenarios=("killed-*", "replay-*", "crash-while-opening"),
)
