"""A loop that, after a crash, runs again what it had started."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop import checking
from faultloop.loop.checking import Ready
from faultloop.loop.engine import Agent
from faultloop.loop.events import EndReason
from faultloop.loop.stop import StopSignal


class RepeatsOnResume(Agent):
    """Takes "started, no result" for "not done"."""

    async def recovered(self) -> tuple[EndReason, ...]:
        """Run every started call once more, then recover as ever."""
        for record in self.state.turn.open_calls:
            ready = checking.read(record, self.tools)
            if record.stage == "started" and isinstance(ready, Ready):
                await self.caller.attempt(ready, "again", StopSignal())
        return await super().recovered()


MUTANT = Mutant(
    name="repeats-on-resume",
    does="runs a call again that was started before the crash",
    claims=("D2", "X9", "O3"),
    breaks=("effects_once",),
    agent=RepeatsOnResume,
)
