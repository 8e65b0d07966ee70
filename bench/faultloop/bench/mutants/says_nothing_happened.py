"""A loop whose words sound like doubt and are a denial."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, CallEnded
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State

WORDS = "Unknown error: nothing happened."


class Soothing(Recorder):
    """Says of an unknown outcome that the error is unknown."""

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same events with soothing results."""
        return tuple(
            msgspec.structs.replace(
                event, result=msgspec.structs.replace(event.result, content=WORDS)
            )
            if isinstance(event, CallEnded) and event.outcome == "unknown"
            else event
            for event in super().decide(state, signal)
        )


class SaysNothingHappened(Agent):
    """Mistakes an unknown error for no effect."""

    recording = Soothing


MUTANT = Mutant(
    name="says-nothing-happened",
    does="calls an unknown outcome an unknown error, and denies the effect",
    claims=("D2", "D4", "X9"),
    breaks=("unknown_outcome_told",),
    agent=SaysNothingHappened,
)
