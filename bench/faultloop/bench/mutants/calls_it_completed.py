"""A loop whose every turn is a success: being cut off counts as being done."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, TurnEnded
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State


class Flattering(Recorder):
    """Writes `completed` where the length limit ended the turn."""

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same events with a nicer end."""
        return tuple(
            msgspec.structs.replace(event, end_reason="completed")
            if isinstance(event, TurnEnded) and event.end_reason == "max_tokens"
            else event
            for event in super().decide(state, signal)
        )


class CallsItCompleted(Agent):
    """Reports max_tokens as completed."""

    recording = Flattering


MUTANT = Mutant(
    name="calls-it-completed",
    does="reports a turn that ran into the length limit as completed",
    breaks=("end_acceptable",),
    agent=CallsItCompleted,
)
