"""A loop that puts results back in whatever order they are at hand."""

from itertools import groupby

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.message import Message, ResultMessage


class ShufflesResults(Agent):
    """Turns every run of results around."""

    def messages(self) -> tuple[Message, ...]:
        """The same messages, results reversed."""
        return tuple(
            message
            for is_result, run in groupby(
                super().messages(), key=lambda message: isinstance(message, ResultMessage)
            )
            for message in (reversed(list(run)) if is_result else run)
        )


MUTANT = Mutant(
    name="shuffles-results",
    does="sends the results of a batch back in another order",
    claims=("S2",),
    breaks=("results_in_order",),
    agent=ShufflesResults,
)
