"""A loop that claims input and only then writes that a turn began."""

from __future__ import annotations

from faultloop.bench.mutants.deferred import Deferred
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import StepStarted, TurnEnded, TurnStarted


class Late(Deferred):
    """Writes TurnStarted late."""

    holds = (TurnStarted,)
    until = (StepStarted, TurnEnded)


class StartsTurnsLate(Agent):
    """Says that it is written, and it is not."""

    recording = Late


MUTANT = Mutant(
    name="starts-turns-late",
    does="claims input before the turn is journalled",
    claims=("L5",),
    drills=("turns-frame-their-input",),
    agent=StartsTurnsLate,
)
