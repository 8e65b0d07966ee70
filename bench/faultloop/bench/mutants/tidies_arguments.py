"""A loop that cleans up text on its way to the tool: odd characters are folded, edges trimmed."""

import unicodedata

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal


class Tidying(Executing):
    """Normalises what the model wrote."""

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """What the reference says, with tidy texts."""
        checked = await super().check(record, signal)
        if not isinstance(checked, Ready):
            return checked
        args = {name: _tidy(value) for name, value in checked.args.items()}
        return msgspec.structs.replace(checked, args=args)


def _tidy(value: object) -> object:
    if not isinstance(value, str):
        return value
    plain = unicodedata.normalize("NFKD", value).encode("ascii", "ignore").decode()
    return " ".join(plain.split(" ")).removesuffix(".").strip()


class TidiesArguments(Agent):
    """Knows better."""

    executing = Tidying


MUTANT = Mutant(
    name="tidies-arguments",
    does="trims texts and folds their characters before the tool gets them",
    claims=("C3", "P4"),
    breaks=("arguments_exact",),
    agent=TidiesArguments,
)
