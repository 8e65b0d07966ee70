"""A loop that sorts a batch: all reads side by side, and then the rest one by one."""

from collections.abc import Mapping, Sequence

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.schedule import Decision, Planned, Progress, classify


class Sorting(Executing):
    """Brings what is alike together."""

    def may_start(self, planned: Sequence[Planned], progress: Mapping[str, Progress]) -> Decision:
        """The schedule of the sorted batch."""
        ranked = sorted(planned, key=lambda one: classify(one.contract, one.args) == "exclusive")
        return super().may_start(ranked, progress)


class RunsReadsFirst(Agent):
    """Shows the file as it was before the write that it follows."""

    executing = Sorting


MUTANT = Mutant(
    name="runs-reads-first",
    does="runs the reads of a batch before the writes that stand before them",
    claims=("S1",),
    breaks=("exclusive_not_overlapping",),
    agent=RunsReadsFirst,
    scenarios=("reads-around-a-write", "exclusive-*"),
)
