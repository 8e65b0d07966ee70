"""A loop that runs a whole batch at once, safe or not."""

from collections.abc import Mapping, Sequence

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.schedule import Decision, Planned, Progress


class Hasty(Executing):
    """Starts everything."""

    def may_start(self, planned: Sequence[Planned], progress: Mapping[str, Progress]) -> Decision:
        """All that waits."""
        waiting = tuple(call for call, stage in progress.items() if stage == "waiting")
        return Decision(start=waiting, refuse={})


class HasNoBarriers(Agent):
    """Everything is parallel."""

    executing = Hasty


MUTANT = Mutant(
    name="has-no-barriers",
    does="runs exclusive calls beside others",
    claims=("S1", "C2", "C5"),
    breaks=("exclusive_not_overlapping",),
    agent=HasNoBarriers,
)
