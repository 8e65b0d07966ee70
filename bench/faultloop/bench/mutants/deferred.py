"""What mutants that write something too late have in common: their disk is behind their word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from faultloop.loop.events import AnyEvent, Event
from faultloop.loop.journal.port import Journal
from faultloop.loop.landmarks import Landmarks
from faultloop.loop.policy import Policy
from faultloop.loop.recorder import Recorder


class Deferred(Recorder):
    """Holds some kinds of events back until one of another kind has been written."""

    holds: ClassVar[tuple[type[Event], ...]]
    until: ClassVar[tuple[type[Event], ...]]

    def __init__(self, *, journal: Journal, policy: Policy, landmarks: Landmarks) -> None:
        super().__init__(journal=journal, policy=policy, landmarks=landmarks)
        self._held: list[AnyEvent] = []

    def persist(self, events: Sequence[AnyEvent]) -> None:
        """Write what may be written now; then perhaps what was held."""
        self._held += [event for event in events if isinstance(event, self.holds)]
        super().persist([event for event in events if not isinstance(event, self.holds)])
        if self._held and any(isinstance(event, self.until) for event in events):
            super().persist(self._held)
            self._held.clear()
