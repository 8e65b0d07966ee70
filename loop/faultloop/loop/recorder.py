"""The recorder: the one place where a signal becomes durable, state changes and consumers hear.

    signal --decide--> events --evolve--> state     all of it checked before anything is written
                          |
                          +--> journal --> state is replaced --> subscribers, in their order

One signal at a time: the driver, running calls and whoever speaks to the loop all come through
`tell`, which holds a lock from the decision to the journal. What a signal leads to is appended
together, so a crash leaves all of it or nothing.

Seams: `decide` and `persist` are small on purpose; a wrong loop that forgets or changes an entry
overrides one of them.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Sequence

from faultloop.loop.decide import decide
from faultloop.loop.events import AnyEvent
from faultloop.loop.journal.port import Journal
from faultloop.loop.landmarks import Landmarks
from faultloop.loop.policy import Policy
from faultloop.loop.run_events import AnyRunEvent, Subscriber, told
from faultloop.loop.signals import Signal
from faultloop.loop.state import State, evolve, replay

log = logging.getLogger(__name__)


class Recorder:
    """State, journal and subscribers of one session."""

    def __init__(self, *, journal: Journal, policy: Policy, landmarks: Landmarks) -> None:
        self.state = State()
        self.journal = journal
        self.policy = policy
        self.landmarks = landmarks
        self._subscribers: list[Subscriber] = []
        self._writing = asyncio.Lock()
        self._notes: dict[asyncio.Task[None], None] = {}

    def load(self) -> None:
        """Rebuild the state from the journal. Raises JournalDamaged or IllegalEvent."""
        self.state = replay(self.journal.load())

    async def tell(self, *signals: Signal) -> tuple[AnyEvent, ...]:
        """Record what follows from these signals; returns the events once they are durable."""
        async with self._writing:
            after, events = self.state, list[AnyEvent]()
            for signal in signals:
                for event in self.decide(after, signal):
                    after = evolve(after, event)
                    events.append(event)
            await self._commit(events, after)
        await self._publish_journalled(events)
        return tuple(events)

    async def record(self, events: Sequence[AnyEvent]) -> None:
        """Record events that were decided elsewhere (`recovery`)."""
        async with self._writing:
            await self._commit(events, replay(events, self.state))
        await self._publish_journalled(events)

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """Seam: what follows from a signal."""
        return decide(state, signal, self.policy)

    def persist(self, events: Sequence[AnyEvent]) -> None:
        """Seam: what of it is written."""
        self.journal.append(*events)

    async def _commit(self, events: Sequence[AnyEvent], after: State) -> None:
        if not events:
            return
        await self.landmarks.reach("before_journal")
        self.persist(events)
        self.state = after
        await self.landmarks.reach("after_journal")

    # --- consumers ----------------------------------------------------------------------------

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Be told of every run event from now on; call what is returned to hear no more."""
        self._subscribers.append(subscriber)

        def leave() -> None:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

        return leave

    @property
    def has_listeners(self) -> bool:
        """Whether anybody would hear."""
        return bool(self._subscribers)

    def note(self, event: AnyRunEvent) -> None:
        """Publish from code that cannot wait; heard before anything that is published later."""
        if self._subscribers:
            task = asyncio.ensure_future(self._deliver(event))
            self._notes[task] = None
            task.add_done_callback(lambda done: self._notes.pop(done, None))

    async def publish(self, event: AnyRunEvent) -> None:
        """Tell the subscribers one after the other (SPEC E2)."""
        while self._notes:
            await asyncio.wait(list(self._notes))
        await self._deliver(event)

    async def _deliver(self, event: AnyRunEvent) -> None:
        for subscriber in tuple(self._subscribers):
            try:
                waiting = subscriber(event)
                if inspect.isawaitable(waiting):
                    await waiting
            except Exception:  # an observer that fails never changes what the turn does (L13)
                log.exception("a subscriber failed on %s", type(event).__name__)

    async def _publish_journalled(self, events: Sequence[AnyEvent]) -> None:
        if self._subscribers:
            for event in events:
                for seen in told(event):
                    await self.publish(seen)
