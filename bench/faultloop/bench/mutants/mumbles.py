"""A loop that tells the model "error" and nothing else."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, CallNotExecuted
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State


class Mumbling(Recorder):
    """Drops the advice."""

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same events with results that say nothing."""
        return tuple(
            msgspec.structs.replace(
                event, result=msgspec.structs.replace(event.result, content="error")
            )
            if isinstance(event, CallNotExecuted)
            else event
            for event in super().decide(state, signal)
        )


class Mumbles(Agent):
    """Explains nothing."""

    recording = Mumbling


MUTANT = Mutant(
    name="mumbles",
    does="answers a wrong call with a bare error",
    claims=("P7", "P5", "P6"),
    breaks=("failure_explained",),
    agent=Mumbles,
)
