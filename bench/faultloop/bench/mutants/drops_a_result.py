"""A loop that loses a result: the last one of a batch never goes back to the model."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.message import Message, ResultMessage


class DropsAResult(Agent):
    """Leaves the latest result out of the next request."""

    def messages(self) -> tuple[Message, ...]:
        """All but the last message, where that is a result."""
        seen = super().messages()
        return seen[:-1] if seen and isinstance(seen[-1], ResultMessage) else seen


MUTANT = Mutant(
    name="drops-a-result",
    does="leaves the last result of a batch out of the request",
    claims=("L1", "D6"),
    breaks=("results_closed",),
    agent=DropsAResult,
)
