"""A loop that puts whatever a tool prints into the history."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.calling import Calling
from faultloop.loop.contract import Contract
from faultloop.loop.engine import Agent
from faultloop.loop.tools.port import ToolResult


class Unbounded(Calling):
    """Has no output budget."""

    def bounded(self, result: ToolResult, contract: Contract) -> ToolResult:
        """All of it."""
        return result


class FloodsTheContext(Agent):
    """Never cuts."""

    calling = Unbounded


MUTANT = Mutant(
    name="floods-the-context",
    does="puts output of any size into the history",
    claims=("C7",),
    breaks=("output_in_budget",),
    agent=FloodsTheContext,
)
