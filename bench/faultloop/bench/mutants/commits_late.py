"""A loop that writes down what the model said only once its calls are over."""

from __future__ import annotations

from faultloop.bench.mutants.deferred import Deferred
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import MessageCommitted, StepEnded


class Late(Deferred):
    """Writes MessageCommitted late."""

    holds = (MessageCommitted,)
    until = (StepEnded,)


class CommitsLate(Agent):
    """Says that it is written, and it is not."""

    recording = Late


MUTANT = Mutant(
    name="commits-late",
    does="journals a message after its calls have run",
    claims=("D1",),
    drills=("journal-is-ahead",),
    agent=CommitsLate,
)
