"""A loop that shows a tool as started while its permission is still open."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.run_events import ToolStarted
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal


class Eager(Executing):
    """Announces a call before anybody was asked."""

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """Say that it starts; then ask."""
        started = ToolStarted(
            call=record.call, call_id=record.id, tool=record.name, arguments=record.arguments
        )
        await self.recorder.publish(started)
        return await super().check(record, signal)


class StartsBeforeItAsks(Agent):
    """Shows what may never happen."""

    executing = Eager


MUTANT = Mutant(
    name="starts-before-it-asks",
    does="tells tool.started before permission",
    claims=("E1",),
    drills=("one-stream-of-events",),
    agent=StartsBeforeItAsks,
)
