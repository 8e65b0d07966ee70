"""A loop that answers the model's last word with another request, to be sure."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, StepEnded
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State

DOUBTS_MAX = 22
"""More than any scenario allows requests. (A loop that never gave in would say no more.)"""


class Doubting(Recorder):
    """Owes the model a request whatever the model owes it."""

    doubts = 0

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same events, but hardly any step is the last one."""
        events = super().decide(state, signal)
        if self.doubts == DOUBTS_MAX or not any(map(_is_last, events)):
            return events
        self.doubts += 1
        return tuple(
            msgspec.structs.replace(event, why="owes_request") if _is_last(event) else event
            for event in events
        )


def _is_last(event: AnyEvent) -> bool:
    return isinstance(event, StepEnded) and event.why == "done"


class NeverBelievesItIsDone(Agent):
    """Asks on until a limit stops it."""

    recording = Doubting


MUTANT = Mutant(
    name="never-believes-it-is-done",
    does="asks on after the model's last word",
    claims=("L6", "L2"),
    breaks=("requests_bounded",),
    agent=NeverBelievesItIsDone,
)
