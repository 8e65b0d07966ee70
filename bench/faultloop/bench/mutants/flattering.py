"""What mutants that call a bad end `completed` have in common."""

from typing import ClassVar

import msgspec

from faultloop.loop.events import AnyEvent, EndReason, TurnEnded
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State


class Flattering(Recorder):
    """Writes `completed` in place of one other end reason."""

    hides: ClassVar[EndReason]

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same events with a nicer end."""
        return tuple(
            msgspec.structs.replace(event, end_reason="completed", error="")
            if isinstance(event, TurnEnded) and event.end_reason == self.hides
            else event
            for event in super().decide(state, signal)
        )
