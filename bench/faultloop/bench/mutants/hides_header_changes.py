"""A loop that journals its first header and no change of it."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, HeaderChanged
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State


class Terse(Recorder):
    """Takes one header for all of them."""

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """All but a header that differs from the first."""
        events = super().decide(state, signal)
        if state.header is None:
            return events
        return tuple(event for event in events if not isinstance(event, HeaderChanged))


class HidesHeaderChanges(Agent):
    """Offers what its journal does not know."""

    recording = Terse


MUTANT = Mutant(
    name="hides-header-changes",
    does="changes tools and prompt without a trace in the journal",
    claims=("L16",),
    drills=("headers-are-journalled",),
    agent=HidesHeaderChanges,
)
