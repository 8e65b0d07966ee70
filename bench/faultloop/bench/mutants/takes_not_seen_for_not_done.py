"""A loop that looks once after an unknown outcome and takes "not there" for "not done"."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.calling import Calling
from faultloop.loop.checking import Ready
from faultloop.loop.engine import Agent
from faultloop.loop.stop import StopSignal
from faultloop.loop.tools.port import ToolResult


class Rash(Calling):
    """Believes that a look shows all that there is."""

    async def query(self, ready: Ready, result: ToolResult, signal: StopSignal) -> ToolResult:
        """What the world says; where it shows nothing, the call is made again."""
        looked = await super().query(ready, result, signal)
        if "No charges" not in looked.content:
            return looked
        return await self.attempt(ready, f"{ready.record.call}/again", signal)


class TakesNotSeenForNotDone(Agent):
    """Repeats an effect that a look did not show."""

    calling = Rash


MUTANT = Mutant(
    name="takes-not-seen-for-not-done",
    does="makes a call of unknown outcome again where a look does not show its effect yet",
    claims=("D2", "D4"),
    breaks=("effects_once",),
    agent=TakesNotSeenForNotDone,
    scenarios=("looked-up-*", "charge-*"),
)
