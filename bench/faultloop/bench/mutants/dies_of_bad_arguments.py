"""A loop that decodes arguments with a bare `json.loads`: what it cannot read ends the run."""

from typing import Any

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal


class Brittle(Executing):
    """Raises where the reference explains or mends."""

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """An object that fits, or an exception."""
        msgspec.json.decode(record.arguments, type=dict[str, Any])
        checked = await super().check(record, signal)
        if isinstance(checked, Refused):
            raise LookupError(checked.signal.content)
        return checked


class DiesOfBadArguments(Agent):
    """Trusts the model to be right."""

    executing = Brittle


MUTANT = Mutant(
    name="dies-of-bad-arguments",
    does="ends the run over arguments or a tool name that it cannot use",
    claims=("P7", "P6", "P8", "P5"),
    breaks=("end_acceptable",),
    agent=DiesOfBadArguments,
)
