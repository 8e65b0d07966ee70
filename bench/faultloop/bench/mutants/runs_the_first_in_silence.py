"""A loop that runs the first of two glued objects and lets the model believe that both were run."""

from faultloop.bench.mutants.glued import Splitting
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent


class RunsTheFirstInSilence(Agent):
    """Does half of what was asked."""

    executing = Splitting


MUTANT = Mutant(
    name="runs-the-first-in-silence",
    does="runs the first of two glued calls with effects and does not say that the rest was not",
    claims=("P4",),
    breaks=("arguments_exact",),
    agent=RunsTheFirstInSilence,
    scenarios=("two-*-in-one-call",),
)
