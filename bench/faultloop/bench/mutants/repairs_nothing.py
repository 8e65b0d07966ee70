"""A loop that refuses whatever would have to be mended."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.signals import CallRefused
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal


class Strict(Executing):
    """Takes a call as it is, or not at all."""

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """The check, without mercy."""
        checked = await super().check(record, signal)
        if not isinstance(checked, Ready) or not checked.repairs:
            return checked
        content = f"{checked.contract.name} was not run: the arguments are not as declared."
        refusal = CallRefused(record=record, code="INVALID_ARGS", content=content)
        return Refused(signal=refusal, contract=checked.contract)


class RepairsNothing(Agent):
    """Lets the model pay for every slip."""

    executing = Strict


MUTANT = Mutant(
    name="repairs-nothing",
    does="mends nothing, so that every slip costs a request",
    claims=("O5", "P4"),
    drills=("repairs-save-requests",),
    agent=RepairsNothing,
)
