"""A loop whose cancel is an exception like any other."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, TurnEnded
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State


class Catching(Recorder):
    """Writes down what it caught."""

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same events, but a cancel is an error."""
        return tuple(
            msgspec.structs.replace(event, end_reason="error", error="CancelledError")
            if isinstance(event, TurnEnded) and event.end_reason == "aborted"
            else event
            for event in super().decide(state, signal)
        )


class CallsACancelAnError(Agent):
    """Alarms whoever watches for errors."""

    recording = Catching


MUTANT = Mutant(
    name="calls-a-cancel-an-error",
    does="reports a turn that the user cancelled as an error",
    claims=("L11", "X3"),
    breaks=("end_acceptable",),
    agent=CallsACancelAnError,
    scenarios=("cancel-*",),
)
