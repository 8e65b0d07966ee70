"""A loop whose journal says of refused calls that they started and failed."""

from __future__ import annotations

from collections.abc import Sequence

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, CallEnded, CallNotExecuted, CallStarted
from faultloop.loop.recorder import Recorder


class Sloppy(Recorder):
    """Knows one way in which a call can end."""

    def persist(self, events: Sequence[AnyEvent]) -> None:
        """The same, each refusal as a start and a failure."""
        super().persist([told for event in events for told in _told(event)])


def _told(event: AnyEvent) -> tuple[AnyEvent, ...]:
    if not isinstance(event, CallNotExecuted):
        return (event,)
    call, call_id = event.call, event.call_id
    return (
        CallStarted(call=call, call_id=call_id, attempt="", tool="", arguments="{}", key=""),
        CallEnded(call=call, call_id=call_id, outcome="failed", result=event.result),
    )


class SaysRefusedCallsRan(Agent):
    """Cannot tell a refusal from a failure."""

    recording = Sloppy


MUTANT = Mutant(
    name="says-refused-calls-ran",
    does="journals a call that never ran as started and failed",
    claims=("S4",),
    drills=("calls-have-states",),
    agent=SaysRefusedCallsRan,
)
