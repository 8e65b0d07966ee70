"""A loop that asks for permission first and looks at the arguments afterwards."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.registry import Found
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal


class Hasty(Executing):
    """Asks about whatever names a tool."""

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """Ask; then check, and ask no more."""
        found = self.offer.offered.find(record.name)
        permit, self.permit = self.permit, None
        try:
            if permit is not None and isinstance(found, Found):
                await permit(found.tool.contract, {})
            return await super().check(record, signal)
        finally:
            self.permit = permit


class AsksBeforeItValidates(Agent):
    """Bothers people with calls that cannot run."""

    executing = Hasty


MUTANT = Mutant(
    name="asks-before-it-validates",
    does="asks for permission of calls whose arguments are wrong",
    claims=("P10",),
    drills=("approvals-are-cleared",),
    agent=AsksBeforeItValidates,
)
