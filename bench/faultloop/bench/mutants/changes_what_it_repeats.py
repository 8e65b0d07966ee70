"""A loop whose second try of a call is not the same call: other arguments, another key."""

from typing import Any

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.calling import Calling
from faultloop.loop.checking import Ready
from faultloop.loop.engine import Agent
from faultloop.loop.stop import StopSignal
from faultloop.loop.tools.port import ToolResult


class Improvising(Calling):
    """Varies what it repeats."""

    async def attempt(self, ready: Ready, attempt: str, signal: StopSignal) -> ToolResult:
        """The first try as asked for; each further one marked as such."""
        seen: set[str] = self.__dict__.setdefault("seen", set())
        if ready.record.call in seen:
            record = msgspec.structs.replace(ready.record, key=f"{self.key(ready.record)}{attempt}")
            args: dict[str, Any] = {name: _varied(value) for name, value in ready.args.items()}
            ready = msgspec.structs.replace(ready, record=record, args=args)
        seen.add(ready.record.call)
        return await super().attempt(ready, attempt, signal)


def _varied(value: object) -> object:
    return f"{value} (retry)" if isinstance(value, str) else value


class ChangesWhatItRepeats(Agent):
    """Repeats something else."""

    calling = Improvising


MUTANT = Mutant(
    name="changes-what-it-repeats",
    does="tries a call again with other arguments and another idempotency key",
    claims=("D3", "C3"),
    breaks=("arguments_exact", "effects_once"),
    agent=ChangesWhatItRepeats,
)
