"""A loop that lets a tool's failure end the run."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.calling import Calling
from faultloop.loop.checking import Ready
from faultloop.loop.engine import Agent
from faultloop.loop.stop import StopSignal
from faultloop.loop.tools.port import ToolResult


class Raising(Calling):
    """Makes an exception of a result."""

    async def attempt(self, ready: Ready, attempt: str, signal: StopSignal) -> ToolResult:
        """A good result, or none."""
        result = await super().attempt(ready, attempt, signal)
        if result.outcome != "ok" and not signal.fired:
            raise RuntimeError(result.content)
        return result


class DiesOfATool(Agent):
    """Takes a failed call for a failed run."""

    calling = Raising


MUTANT = Mutant(
    name="dies-of-a-tool",
    does="ends the run where a tool fails",
    claims=("P9", "L3", "P8"),
    breaks=("end_acceptable",),
    agent=DiesOfATool,
)
