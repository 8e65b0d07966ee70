"""A loop that runs a call first, and then writes down that it is going to."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.calling import Calling
from faultloop.loop.checking import Ready
from faultloop.loop.engine import Agent
from faultloop.loop.stop import StopSignal
from faultloop.loop.tools.port import ToolResult


class Ahead(Calling):
    """Is done before it begins."""

    def __init__(self, **parts: object) -> None:
        super().__init__(**parts)  # type: ignore[arg-type]  # passed on as they came
        self.done: dict[str, ToolResult] = {}

    async def begin(self, ready: Ready) -> str:
        """The work, and then the entry for it."""
        self.done[ready.record.call] = await super().attempt(ready, "early", StopSignal())
        return await super().begin(ready)

    async def attempt(self, ready: Ready, attempt: str, signal: StopSignal) -> ToolResult:
        """What came of it; a further try as ever."""
        early = self.done.pop(ready.record.call, None)
        return early or await super().attempt(ready, attempt, signal)


class ExecutesBeforeItWrites(Agent):
    """Has effects that no journal knows of."""

    calling = Ahead


MUTANT = Mutant(
    name="executes-before-it-writes",
    does="executes a call before its start is durable",
    claims=("D1",),
    breaks=("journal_ahead", "end_acceptable"),
    agent=ExecutesBeforeItWrites,
    scenarios=("killed-before-the-call-is-journalled", "killed-between-effect-and-record"),
)
