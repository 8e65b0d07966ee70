"""A loop whose journal has one entry for all that came to nothing: not executed."""

from collections.abc import Sequence

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, CallEnded, CallNotExecuted
from faultloop.loop.recorder import Recorder


class Lumping(Recorder):
    """Does not tell a failure from a refusal."""

    def persist(self, events: Sequence[AnyEvent]) -> None:
        """The same, but a call that failed was never run."""
        super().persist([_lumped(event) for event in events])


def _lumped(event: AnyEvent) -> AnyEvent:
    if not isinstance(event, CallEnded) or event.outcome != "failed":
        return event
    return CallNotExecuted(
        call=event.call, call_id=event.call_id, code="TOOL_FAILED", result=event.result
    )


class WritesFailuresDownAsNotRun(Agent):
    """Knows two states where there are four."""

    recording = Lumping


MUTANT = Mutant(
    name="writes-failures-down-as-not-run",
    does="journals a call that ran and failed as not executed",
    claims=("S4", "D1"),
    breaks=("journal_ahead",),
    agent=WritesFailuresDownAsNotRun,
    scenarios=("dependent-call-is-not-run", "failing-command-is-a-result"),
)
