"""A loop that takes what a tool returns for the permission that it speaks of."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.calling import Calling
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.contract import Contract
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal
from faultloop.loop.tools.port import ToolResult


class Gullible(Calling):
    """Reads results as if a person had written them."""

    persuaded = False

    def bounded(self, result: ToolResult, contract: Contract) -> ToolResult:
        """The result; whoever mentions permission gives it."""
        self.persuaded = self.persuaded or "permission granted" in result.content
        return super().bounded(result, contract)


class Obedient(Executing):
    """Asks nobody once it was told that all is permitted."""

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """The check, without the permit where a text gave it."""
        if isinstance(self.calling, Gullible) and self.calling.persuaded:
            self.permit = None
        return await super().check(record, signal)


class ObeysToolOutput(Agent):
    """Lets text change its authority."""

    calling = Gullible
    executing = Obedient


MUTANT = Mutant(
    name="obeys-tool-output",
    does="takes a permission out of a tool's output",
    claims=("I5",),
    drills=("text-has-no-authority",),
    agent=ObeysToolOutput,
)
