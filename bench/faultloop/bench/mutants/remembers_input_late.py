"""A loop that writes down what the user said only once the model has answered."""

from __future__ import annotations

from faultloop.bench.mutants.deferred import Deferred
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import InputClaimed, InputQueued, MessageCommitted


class Late(Deferred):
    """Writes InputQueued and InputClaimed late."""

    holds = (InputQueued, InputClaimed)
    until = (MessageCommitted,)


class RemembersInputLate(Agent):
    """Says that it is written, and it is not."""

    recording = Late


MUTANT = Mutant(
    name="remembers-input-late",
    does="journals input only when the model has answered it",
    claims=("L15", "I2"),
    drills=("input-is-durable-first",),
    agent=RemembersInputLate,
)
