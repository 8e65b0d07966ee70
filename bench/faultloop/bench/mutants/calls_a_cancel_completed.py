"""A loop for which a cancelled turn is one that is over, and over is done."""

from faultloop.bench.mutants.flattering import Flattering
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent


class HidesTheCancel(Flattering):
    """Writes `completed` where the user cancelled."""

    hides = "aborted"


class CallsACancelCompleted(Agent):
    """Reports aborted as completed."""

    recording = HidesTheCancel


MUTANT = Mutant(
    name="calls-a-cancel-completed",
    does="reports a turn that the user cancelled as completed",
    claims=("L11", "X3"),
    breaks=("end_acceptable",),
    agent=CallsACancelCompleted,
    scenarios=("cancel-*",),
)
