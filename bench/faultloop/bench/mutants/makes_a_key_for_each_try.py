"""A loop whose idempotency keys are made anew for every attempt."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.calling import Calling
from faultloop.loop.checking import Ready
from faultloop.loop.engine import Agent
from faultloop.loop.stop import StopSignal
from faultloop.loop.tools.port import ToolResult


class Fresh(Calling):
    """Makes keys that prove nothing."""

    async def attempt(self, ready: Ready, attempt: str, signal: StopSignal) -> ToolResult:
        """The same call under this attempt's own key."""
        record = msgspec.structs.replace(ready.record, key=f"{self.key(ready.record)}/{attempt}")
        return await super().attempt(msgspec.structs.replace(ready, record=record), attempt, signal)


class MakesAKeyForEachTry(Agent):
    """Repeats an effect that the receiver cannot recognise."""

    calling = Fresh


MUTANT = Mutant(
    name="makes-a-key-for-each-try",
    does="retries a call under another idempotency key",
    claims=("D3",),
    breaks=("effects_once",),
    agent=MakesAKeyForEachTry,
    scenarios=("*-keys-honoured",),
)
