"""What mutants that change the words of results have in common."""

from collections.abc import Sequence

import msgspec

from faultloop.loop.events import AnyEvent, CallEnded, CallNotExecuted
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State

Closing = CallEnded | CallNotExecuted


class Retelling(Recorder):
    """Closes calls in words of its own."""

    def retold(self, event: Closing, state: State) -> str:
        """What the model is told; by default what the reference tells it."""
        return event.result.content

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same events with other words."""
        return tuple(self._changed(event, state) for event in super().decide(state, signal))

    async def record(self, events: Sequence[AnyEvent]) -> None:
        """What recovery decided is told in other words, too."""
        await super().record([self._changed(event, self.state) for event in events])

    def _changed(self, event: AnyEvent, state: State) -> AnyEvent:
        if not isinstance(event, CallEnded | CallNotExecuted):
            return event
        result = msgspec.structs.replace(event.result, content=self.retold(event, state))
        return msgspec.structs.replace(event, result=result)


def arguments_of(event: Closing, state: State) -> str:
    """The argument text of the call that an event closes."""
    record = state.turn.record(event.call)
    return record.arguments if record is not None else ""
