"""A loop that lets input in without a word to who had sent it."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.muted import Muted
from faultloop.loop.engine import Agent
from faultloop.loop.run_events import InputEntered


class Silent(Muted):
    """Keeps InputEntered to itself."""

    hides = InputEntered


class ClaimsUnnoticed(Agent):
    """Is quieter than it should be."""

    recording = Silent


MUTANT = Mutant(
    name="claims-unnoticed",
    does="claims input without notice",
    claims=("I3",),
    drills=("claims-are-noticed",),
    agent=ClaimsUnnoticed,
)
