"""A loop that looks at the signal before it asks the model, and never during a batch."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.stop import StopSignal


class Unheeding(Executing):
    """Ends a batch that has begun."""

    async def run(self, signal: StopSignal) -> None:
        """All calls of it, with a signal that nobody fires."""
        await super().run(StopSignal())


class HearsOnlyBetweenSteps(Agent):
    """Stops after the batch."""

    executing = Unheeding


MUTANT = Mutant(
    name="hears-only-between-steps",
    does="starts the calls of a batch that were still waiting when the user cancelled",
    claims=("X1", "X2"),
    breaks=("nothing_after_cancel",),
    agent=HearsOnlyBetweenSteps,
    scenarios=("cancel-with-calls-waiting", "cancel-in-the-second-of-two-calls"),
)
