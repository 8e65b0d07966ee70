"""A loop that takes a 504 for a failure and tries again, whatever the tool does."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.calling import Calling
from faultloop.loop.contract import Contract
from faultloop.loop.engine import Agent
from faultloop.loop.tools.port import ToolResult


class Insisting(Calling):
    """Tries once more after an outcome that is unknown."""

    def retry_wait_s(self, contract: Contract, result: ToolResult, failures: int) -> float | None:
        """A second, the first time."""
        if result.outcome == "unknown" and failures == 1:
            return 1.0
        return super().retry_wait_s(contract, result, failures)


class RetriesAfter504(Agent):
    """Retries effects."""

    calling = Insisting


MUTANT = Mutant(
    name="retries-after-504",
    does="repeats a call with an effect after a gateway timeout",
    claims=("D4", "D3", "O2"),
    breaks=("effects_once",),
    agent=RetriesAfter504,
)
