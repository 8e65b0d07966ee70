"""A loop that tells the subscriber first who came last."""

from __future__ import annotations

from collections.abc import Callable

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.delivery import Delivery
from faultloop.loop.engine import Agent
from faultloop.loop.run_events import Subscriber


class TellsTheLastFirst(Agent):
    """Has its favourites."""

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Put the newest in front."""
        leave = super().subscribe(subscriber)
        delivery: Delivery = self.recorder.delivery
        delivery._subscribers.insert(0, delivery._subscribers.pop())
        return leave


MUTANT = Mutant(
    name="tells-the-last-first",
    does="tells subscribers in another order than that of their registration",
    claims=("E2",),
    drills=("state-before-subscribers",),
    agent=TellsTheLastFirst,
)
