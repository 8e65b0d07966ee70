"""A loop that writes the user's message down together with the first answer to it."""

from collections.abc import Sequence

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, MessageCommitted, TurnEnded
from faultloop.loop.recorder import Recorder


class Tardy(Recorder):
    """Holds a turn's beginning back until there is a reply."""

    held: tuple[AnyEvent, ...] = ()

    def persist(self, events: Sequence[AnyEvent]) -> None:
        """Everything up to the first reply at once, then as ever."""
        self.held += tuple(events)
        answered = self.state.turn.step > 0 and self.state.phase in ("acting", "ready", "idle")
        now = any(isinstance(event, MessageCommitted | TurnEnded) for event in events)
        if answered or now:
            super().persist(self.held)
            self.held = ()


class WritesInputDownLate(Agent):
    """Forgets what was asked if it dies before it answered."""

    recording = Tardy


MUTANT = Mutant(
    name="writes-input-down-late",
    does="asks the model before the user's message is durable",
    claims=("L15", "I2"),
    breaks=("input_kept",),
    agent=WritesInputDownLate,
    scenarios=("killed-before-the-first-reply",),
)
