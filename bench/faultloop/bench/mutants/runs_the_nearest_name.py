"""A loop that runs the tool whose name looks most like the one that the model used."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.registry import nearest
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal


class Guessing(Executing):
    """Knows what was meant."""

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """What the reference says of the nearest tool."""
        names = self.offer.offered.names
        name = record.name if record.name in names else nearest(record.name, names)[0]
        checked = await super().check(msgspec.structs.replace(record, name=name), signal)
        if isinstance(checked, Ready):
            return msgspec.structs.replace(checked, record=record)
        return checked


class RunsTheNearestName(Agent):
    """Charges where a refund was asked for."""

    executing = Guessing


MUTANT = Mutant(
    name="runs-the-nearest-name",
    does="runs the tool whose name is nearest where the one that was called does not exist",
    claims=("P4", "P6"),
    breaks=("end_acceptable",),
    agent=RunsTheNearestName,
    scenarios=("refund-is-not-a-charge", "unknown-tool-is-explained"),
)
