"""A loop that cuts a long output and lets the model take the part for the whole."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.calling import Calling
from faultloop.loop.contract import Contract
from faultloop.loop.engine import Agent
from faultloop.loop.output import head
from faultloop.loop.tools.port import ToolResult


class Silent(Calling):
    """Keeps to its budget and says nothing of it."""

    def bounded(self, result: ToolResult, contract: Contract) -> ToolResult:
        """The beginning of it."""
        text = head(result.content, contract.output_budget_bytes)
        return msgspec.structs.replace(result, content=text)


class CutsInSilence(Agent):
    """Hides that there is more."""

    calling = Silent


MUTANT = Mutant(
    name="cuts-in-silence",
    does="cuts an output to its budget without saying so",
    claims=("C7",),
    breaks=("output_in_budget",),
    agent=CutsInSilence,
    scenarios=("output-without-end",),
)
