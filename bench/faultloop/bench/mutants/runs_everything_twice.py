"""A loop in which two handlers run the same call, as where a stream's and a reply's both do."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.calling import Calling
from faultloop.loop.checking import Ready
from faultloop.loop.engine import Agent
from faultloop.loop.stop import StopSignal
from faultloop.loop.tools.port import ToolResult


class Doubling(Calling):
    """Makes sure."""

    async def attempt(self, ready: Ready, attempt: str, signal: StopSignal) -> ToolResult:
        """The same twice; the second result counts."""
        await super().attempt(ready, attempt, signal)
        return await super().attempt(ready, attempt, signal)


class RunsEverythingTwice(Agent):
    """Has two handlers."""

    calling = Doubling


MUTANT = Mutant(
    name="runs-everything-twice",
    does="executes each call a second time",
    claims=("D2", "O3"),
    breaks=("effects_once",),
    agent=RunsEverythingTwice,
)
