"""A loop that runs every argument object it finds in one call."""

import msgspec

from faultloop.bench.mutants.glued import Splitting, objects_in
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.calling import Calling
from faultloop.loop.checking import Ready
from faultloop.loop.engine import Agent
from faultloop.loop.stop import StopSignal
from faultloop.loop.tools.port import ToolResult


class Repeating(Calling):
    """Runs one call as often as it has arguments."""

    async def attempt(self, ready: Ready, attempt: str, signal: StopSignal) -> ToolResult:
        """The objects in their order; the last result counts."""
        for args in objects_in(ready.record.arguments)[:-1]:
            await super().attempt(msgspec.structs.replace(ready, args=args), attempt, signal)
        last = objects_in(ready.record.arguments)[-1:]
        ready = msgspec.structs.replace(ready, args=last[0]) if last else ready
        return await super().attempt(ready, attempt, signal)


class RunsAllThatIsGlued(Agent):
    """Makes two calls of one."""

    calling = Repeating
    executing = Splitting


MUTANT = Mutant(
    name="runs-all-that-is-glued",
    does="runs one call twice because two argument objects were glued together in it",
    claims=("P4",),
    breaks=("end_acceptable",),
    agent=RunsAllThatIsGlued,
    scenarios=("two-*-in-one-call",),
)
