"""A loop that calls every try of a step by the same name."""

from __future__ import annotations

from msgspec.structs import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, AttemptStarted
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State


class Forgetful(Recorder):
    """Does not count its tries."""

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same, with an attempt called by its step."""
        return tuple(
            replace(event, attempt=f"{event.turn}/{event.step}")
            if isinstance(event, AttemptStarted) and event.of == "model"
            else event
            for event in super().decide(state, signal)
        )


class ReusesAttemptIds(Agent):
    """Cannot tell a try from the one before."""

    recording = Forgetful


MUTANT = Mutant(
    name="reuses-attempt-ids",
    does="gives every try of a request the same id",
    claims=("D5",),
    drills=("attempts-have-ids",),
    agent=ReusesAttemptIds,
)
