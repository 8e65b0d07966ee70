"""What mutants that keep something from their listeners have in common."""

from __future__ import annotations

from typing import ClassVar

from faultloop.loop.delivery import Delivery
from faultloop.loop.journal.port import Journal
from faultloop.loop.landmarks import Landmarks
from faultloop.loop.policy import Policy
from faultloop.loop.recorder import Recorder
from faultloop.loop.run_events import AnyRunEvent, RunEvent


class Muted(Recorder):
    """Tells everything but one kind of run event."""

    hides: ClassVar[type[RunEvent]]

    def __init__(self, *, journal: Journal, policy: Policy, landmarks: Landmarks) -> None:
        super().__init__(journal=journal, policy=policy, landmarks=landmarks)
        self.delivery = Sieve(self.hides)


class Sieve(Delivery):
    """Lets one kind of event fall."""

    def __init__(self, hides: type[RunEvent]) -> None:
        super().__init__()
        self._hides = hides

    def post(self, *events: AnyRunEvent) -> None:
        """Post the others."""
        super().post(*(event for event in events if not isinstance(event, self._hides)))
