"""A loop that drops, with an aborted turn, what came while it was winding down."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, InputDiscarded, TurnEnded
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State


class Sweeping(Recorder):
    """Sweeps the queue at the end of an aborted turn."""

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same, and nothing is left."""
        events = super().decide(state, signal)
        if not any(isinstance(e, TurnEnded) and e.end_reason == "aborted" for e in events):
            return events
        waiting = (item.input.id for item in state.inbox.items)
        return (*(InputDiscarded(id=name, reason="cancelled") for name in waiting), *events)


class DropsLateInput(Agent):
    """Takes what is said after a cancel for part of what was cancelled."""

    recording = Sweeping


MUTANT = Mutant(
    name="drops-late-input",
    does="drops input that came after the cancel",
    claims=("X6", "I4"),
    drills=("late-input-waits",),
    agent=DropsLateInput,
)
