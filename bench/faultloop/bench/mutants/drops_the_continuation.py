"""A loop that hands on the first part of a result as if it were all of it."""

from __future__ import annotations

from msgspec.structs import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.calling import Calling
from faultloop.loop.contract import Contract
from faultloop.loop.engine import Agent
from faultloop.loop.tools.port import ToolResult


class Curt(Calling):
    """Keeps data, and nothing about them."""

    def bounded(self, result: ToolResult, contract: Contract) -> ToolResult:
        """The result without a word on what is missing."""
        return super().bounded(replace(result, truncated=False, continuation=""), contract)


class DropsTheContinuation(Agent):
    """Never says how to read on."""

    calling = Curt


MUTANT = Mutant(
    name="drops-the-continuation",
    does="drops from a result that it is cut and how to read on",
    claims=("C4", "C7"),
    drills=("results-are-uniform",),
    agent=DropsTheContinuation,
)
