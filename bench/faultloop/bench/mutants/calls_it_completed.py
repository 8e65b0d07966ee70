"""A loop whose every turn is a success: being cut off counts as being done."""

from faultloop.bench.mutants.flattering import Flattering
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent


class HidesTheLimit(Flattering):
    """Writes `completed` where the length limit ended the turn."""

    hides = "max_tokens"


class CallsItCompleted(Agent):
    """Reports max_tokens as completed."""

    recording = HidesTheLimit


MUTANT = Mutant(
    name="calls-it-completed",
    does="reports a turn that ran into the length limit as completed",
    claims=("L11", "L12"),
    breaks=("end_acceptable",),
    agent=CallsItCompleted,
)
