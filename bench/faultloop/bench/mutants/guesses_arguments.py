"""A loop that bends arguments until they fit: numbers become text, what is missing is invented."""

from typing import Any

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.arguments import canonical
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal


class Bending(Executing):
    """Tries again with guesses where the arguments were rejected."""

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """What the reference says, or what it says of the guess."""
        checked = await super().check(record, signal)
        if not isinstance(checked, Refused) or checked.contract is None:
            return checked
        try:
            said: Any = msgspec.json.decode(record.arguments or "{}")
        except msgspec.DecodeError:
            return checked
        if not isinstance(said, dict):
            return checked
        wanted = checked.contract.parameters.get("required", [])
        guess = {name: str(value) for name, value in said.items()}
        guess |= {name: "." for name in wanted if name not in guess}
        return await super().check(_saying(record, canonical(guess)), signal)


def _saying(record: CallRecord, arguments: str) -> CallRecord:
    return msgspec.structs.replace(record, arguments=arguments)


class GuessesArguments(Agent):
    """Never asks the model again."""

    executing = Bending


MUTANT = Mutant(
    name="guesses-arguments",
    does="coerces wrong types and invents what is missing",
    claims=("P4", "C3", "P10"),
    breaks=("arguments_exact",),
    agent=GuessesArguments,
)
