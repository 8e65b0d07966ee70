"""A loop that gives up the rest of a batch when one of its calls fails."""

from collections.abc import Mapping, Sequence

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.schedule import Decision, Planned, Progress


class Despairing(Executing):
    """Takes every call for dependent on every other."""

    def may_start(self, planned: Sequence[Planned], progress: Mapping[str, Progress]) -> Decision:
        """As ever, until something fails."""
        failed = [call for call, state in progress.items() if state == "failed"]
        waiting = [call for call, state in progress.items() if state == "waiting"]
        if not failed:
            return super().may_start(planned, progress)
        return Decision(refuse=dict.fromkeys(waiting, "an earlier call"))


class GivesTheBatchUp(Agent):
    """Stops at the first failure."""

    executing = Despairing


MUTANT = Mutant(
    name="gives-the-batch-up",
    does="does not run the rest of a batch in which a call has failed",
    claims=("S3",),
    breaks=("failure_stays_own",),
    agent=GivesTheBatchUp,
    scenarios=("failed-edit-beside-an-append", "good-and-bad-call-in-one-batch"),
)
