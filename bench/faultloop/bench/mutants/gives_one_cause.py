"""A loop whose requests all have the same cause, so that nobody can tell them apart."""

from __future__ import annotations

from msgspec.structs import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, StepStarted
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State


class Uniform(Recorder):
    """Knows one cause."""

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same events, caused by input."""
        return tuple(
            replace(event, cause="input") if isinstance(event, StepStarted) else event
            for event in super().decide(state, signal)
        )


class GivesOneCause(Agent):
    """Makes every request look like a prompt's."""

    recording = Uniform


MUTANT = Mutant(
    name="gives-one-cause",
    does="records tool revisits and steering as if they were prompts",
    claims=("L7", "L16"),
    drills=("headers-are-journalled",),
    agent=GivesOneCause,
)
