"""A loop that hits its step limit and says that it is done."""

from faultloop.bench.mutants.flattering import Flattering
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent


class HidesTheLimit(Flattering):
    """Writes `completed` where the steps were used up."""

    hides = "max_steps"


class CallsALimitCompleted(Agent):
    """Reports max_steps as completed."""

    recording = HidesTheLimit


MUTANT = Mutant(
    name="calls-a-limit-completed",
    does="reports a turn that ran into its step limit as completed",
    claims=("L11", "L2"),
    breaks=("end_acceptable",),
    agent=CallsALimitCompleted,
    scenarios=("*-for-ever",),
)
