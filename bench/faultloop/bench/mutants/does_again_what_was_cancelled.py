"""A loop that finishes, when it is started again, what the user had stopped."""

import asyncio

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop import checking
from faultloop.loop.checking import Ready
from faultloop.loop.engine import Agent
from faultloop.loop.events import EndReason
from faultloop.loop.message import AssistantMessage
from faultloop.loop.signals import LimitHit
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal

PATIENCE_S = 60.0
"""A call that takes longer than this is given up."""


class DoesAgainWhatWasCancelled(Agent):
    """Takes a cancelled turn for one that was interrupted."""

    opened = False

    async def open(self) -> tuple[EndReason, ...]:
        """Recover, and run the last batch of a cancelled turn once more."""
        recovered = await super().open()
        first, self.opened = not self.opened, True
        if not first or self.state.turn.end_reason != "aborted" or self.state.turn.number > 1:
            return recovered
        replies = [one for one in self.state.history if isinstance(one, AssistantMessage)]
        for number, call in enumerate(replies[-1].calls if replies else ()):
            record = CallRecord(
                call=f"again/{number}", id=call.id, name=call.name, arguments=call.arguments
            )
            ready = checking.read(record, self.tools)
            if isinstance(ready, Ready):
                await self.caller.attempt(ready, "again", _within(PATIENCE_S))
        return recovered


def _within(wait_s: float) -> StopSignal:
    signal = StopSignal()
    asyncio.get_running_loop().call_later(wait_s, signal.fire, LimitHit(limit="timeout"))
    return signal


MUTANT = Mutant(
    name="does-again-what-was-cancelled",
    does="runs the calls of a cancelled turn again when the next one begins",
    claims=("X9", "X2", "D2"),
    breaks=("effects_once",),
    agent=DoesAgainWhatWasCancelled,
    scenarios=("cancel-just-after-the-effect", "cancel-with-calls-waiting"),
)
