"""A loop whose clock ends a turn like any other fault."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, TurnEnded
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State


class Blurring(Recorder):
    """Knows one bad end."""

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same events, but time is an error."""
        return tuple(
            msgspec.structs.replace(event, end_reason="error", error="took too long")
            if isinstance(event, TurnEnded) and event.end_reason == "timeout"
            else event
            for event in super().decide(state, signal)
        )


class CallsATimeoutAnError(Agent):
    """Has one reason for two ends."""

    recording = Blurring


MUTANT = Mutant(
    name="calls-a-timeout-an-error",
    does="reports a turn whose time was up as an error",
    claims=("L11",),
    breaks=("end_acceptable",),
    agent=CallsATimeoutAnError,
    scenarios=("slow-calls-use-up-the-time",),
)
