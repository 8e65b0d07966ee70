"""A loop that goes on and does not record on what basis."""

from __future__ import annotations

from msgspec.structs import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, StepStarted
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State


class Groundless(Recorder):
    """Asks the model because it feels like it."""

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same steps, resting on nothing."""
        return tuple(
            replace(event, basis=()) if isinstance(event, StepStarted) else event
            for event in super().decide(state, signal)
        )


class ForgetsItsGrounds(Agent):
    """Cannot say which message or debt made it go on."""

    recording = Groundless


MUTANT = Mutant(
    name="forgets-its-grounds",
    does="records no basis of a continuation",
    claims=("L7",),
    drills=("continuations-have-causes",),
    agent=ForgetsItsGrounds,
)
