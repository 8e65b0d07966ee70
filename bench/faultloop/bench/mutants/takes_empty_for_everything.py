"""A loop that reads empty argument text as `{}`, whatever the tool would do with that."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal


class Defaulting(Executing):
    """`arguments or "{}"`, as many loops have it."""

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """What the reference says of an object."""
        text = record.arguments or "{}"
        return await super().check(msgspec.structs.replace(record, arguments=text), signal)


class TakesEmptyForEverything(Agent):
    """Lets defaults decide."""

    executing = Defaulting


MUTANT = Mutant(
    name="takes-empty-for-everything",
    does="runs a deleting tool with its defaults where the model gave no arguments",
    claims=("P4",),
    breaks=("arguments_exact",),
    agent=TakesEmptyForEverything,
    scenarios=("empty-*",),
)
