"""A loop that closes the turn after a fault and takes no prompt any more."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.message import Message


class SulksAfterAFault(Agent):
    """Has had enough."""

    _sulks = False

    async def faulted(self, fault: Exception) -> None:
        """Close the turn, and remember."""
        self._sulks = True
        await super().faulted(fault)

    def messages(self) -> tuple[Message, ...]:
        """Nothing, once there was a fault."""
        if self._sulks:
            raise RuntimeError("this session had a fault before")
        return super().messages()


MUTANT = Mutant(
    name="sulks-after-a-fault",
    does="answers no prompt after a fault of its own",
    claims=("L3",),
    drills=("faults-close-the-turn",),
    agent=SulksAfterAFault,
)
