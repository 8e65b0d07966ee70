"""A loop whose turn ends as its last reply did."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, TurnEnded
from faultloop.loop.message import AssistantMessage
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State


class LookingAtTheLast(Recorder):
    """Judges a turn by its end."""

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same events; a last reply that stopped by itself completes the turn."""
        replies = [one for one in state.history if isinstance(one, AssistantMessage)]
        stopped = bool(replies) and replies[-1].finish_reason == "stop"
        return tuple(
            msgspec.structs.replace(event, end_reason="completed")
            if isinstance(event, TurnEnded) and event.end_reason == "max_tokens" and stopped
            else event
            for event in super().decide(state, signal)
        )


class ForgetsTheCut(Agent):
    """Lets a later step hide a cut one."""

    recording = LookingAtTheLast


MUTANT = Mutant(
    name="forgets-the-cut",
    does="calls a turn completed whose later step went well after a text was cut",
    claims=("L12",),
    breaks=("end_acceptable",),
    agent=ForgetsTheCut,
    scenarios=("cut-text-*",),
)
