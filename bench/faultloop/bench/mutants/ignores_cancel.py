"""A loop that says it was cancelled and goes on."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import Cause


class IgnoresCancel(Agent):
    """Its cancel fires nothing."""

    def cancel(self, cause: Cause = "user", reason: str = "") -> bool:
        """Claim to have cancelled."""
        return self.running


MUTANT = Mutant(
    name="ignores-cancel",
    does="takes a cancel and goes on working",
    claims=("X1", "X5"),
    breaks=("nothing_after_cancel",),
    agent=IgnoresCancel,
)
