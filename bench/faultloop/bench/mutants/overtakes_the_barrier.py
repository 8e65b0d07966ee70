"""A loop whose safe calls start at once, whatever exclusive call waits or runs before them."""

from collections.abc import Mapping, Sequence

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.schedule import Decision, Planned, Progress, classify


class Impatient(Executing):
    """Lets reads overtake."""

    def may_start(self, planned: Sequence[Planned], progress: Mapping[str, Progress]) -> Decision:
        """What may start, and every safe call besides."""
        decision = super().may_start(planned, progress)
        safe = tuple(
            one.call
            for one in planned
            if progress[one.call] == "waiting"
            and one.call not in decision.refuse
            and classify(one.contract, one.args) == "parallel"
        )
        return Decision(start=tuple({*decision.start, *safe}), refuse=decision.refuse)


class OvertakesTheBarrier(Agent):
    """Guards an exclusive call against those before it only."""

    executing = Impatient


MUTANT = Mutant(
    name="overtakes-the-barrier",
    does="starts a read beside an exclusive call that stands before it",
    claims=("S1",),
    breaks=("exclusive_not_overlapping",),
    agent=OvertakesTheBarrier,
    scenarios=("exclusive-*", "steer-in-the-middle-of-a-batch"),
)
