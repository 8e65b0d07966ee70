"""A loop that forgets the journal entry before execution, and writes it with the result."""

from collections.abc import Sequence

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, CallEnded, CallStarted
from faultloop.loop.recorder import Recorder


class Late(Recorder):
    """Holds `call_started` back until the call is over."""

    def persist(self, events: Sequence[AnyEvent]) -> None:
        """The same entries, the write-ahead behind the effect."""
        held: dict[str, CallStarted] = self.__dict__.setdefault("held", {})
        written: list[AnyEvent] = []
        for event in events:
            if isinstance(event, CallStarted):
                held[event.call] = event
                continue
            if isinstance(event, CallEnded) and event.call in held:
                written.append(held.pop(event.call))
            written.append(event)
        if written:
            super().persist(written)


class JournalsLate(Agent):
    """Does first, writes then."""

    recording = Late


MUTANT = Mutant(
    name="journals-late",
    does="journals the start of a call only when it is over",
    claims=("D1", "S4"),
    breaks=("journal_ahead",),
    agent=JournalsLate,
)
