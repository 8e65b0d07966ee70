"""A loop that does not tell the end of a batch; who listens has to infer it."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.muted import Muted
from faultloop.loop.engine import Agent
from faultloop.loop.run_events import StepClosed


class Silent(Muted):
    """Keeps StepClosed to itself."""

    hides = StepClosed


class TellsNoBatches(Agent):
    """Is quieter than it should be."""

    recording = Silent


MUTANT = Mutant(
    name="tells-no-batches",
    does="leaves it to its listeners to infer when a batch is over",
    claims=("L10",),
    drills=("layers-are-told-apart",),
    agent=TellsNoBatches,
)
