"""A loop that drops queued input and tells nobody."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.muted import Muted
from faultloop.loop.engine import Agent
from faultloop.loop.run_events import InputDropped


class Silent(Muted):
    """Keeps InputDropped to itself."""

    hides = InputDropped


class DropsUnnoticed(Agent):
    """Is quieter than it should be."""

    recording = Silent


MUTANT = Mutant(
    name="drops-unnoticed",
    does="drops queued input at a cancel without notice",
    claims=("X4",),
    drills=("cancel-and-the-queue",),
    agent=DropsUnnoticed,
)
