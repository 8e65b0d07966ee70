"""The recorder: the one place where a signal becomes durable, state changes and consumers hear.

    signal --decide--> events --evolve--> state     all of it checked before anything is written
                          |
                          +--> journal --> state is replaced --> `delivery`, to all subscribers

One signal at a time: the driver, running calls and whoever speaks to the loop all come through
`tell`, and nobody comes in between from the decision to the journal; where a bench may wait there,
at a landmark, a lock sees to it. What a signal leads to is appended together, so a crash leaves all
of it or nothing. An append that raises may have written all the same; from then on the state is not
believed until it has been read from the journal again.

Seams: `decide` and `persist` are small on purpose; a wrong loop that forgets or changes an entry
overrides one of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from faultloop.loop.decide import decide
from faultloop.loop.delivery import Delivery
from faultloop.loop.events import AnyEvent
from faultloop.loop.evolving import evolve, replay
from faultloop.loop.journal.port import Journal
from faultloop.loop.landmarks import SILENT, Landmarks
from faultloop.loop.lease.keeping import LeasedJournal
from faultloop.loop.policy import Policy
from faultloop.loop.run_events import AnyRunEvent, ToolProgress, told
from faultloop.loop.signals import Signal
from faultloop.loop.state import State


class Recorder:
    """State and journal of one session, and what its consumers are told."""

    def __init__(self, *, journal: Journal, policy: Policy, landmarks: Landmarks) -> None:
        self.state = State()
        self.journal = journal
        self.policy = policy
        self.landmarks = landmarks
        self.ahead = self.state
        """The state once what is being written is durable: what cannot be prevented any more."""
        self.delivery = Delivery()
        self._writing = asyncio.Lock()
        self._doubted = False

    def load(self) -> None:
        """Rebuild the state from the journal. Raises JournalDamaged or IllegalEvent."""
        self.state = self.ahead = replay(self.journal.load())
        self._doubted = False

    def make_sure(self) -> None:
        """Read the state again, if an append has failed since the last time."""
        if self._doubted:
            self.load()

    async def tell(self, *signals: Signal) -> tuple[AnyEvent, ...]:
        """Record what follows from these signals; returns the events once they are durable."""
        if self.landmarks is SILENT:  # nothing waits up to the journal: no lock
            events, after = self._following(signals)
            is_news = self._write(events, after)
        else:
            async with self._writing:
                events, after = self._following(signals)
                is_news = await self._commit(events, after)
        if is_news:
            await self.delivery.heard()
        return tuple(events)

    async def record(self, events: Sequence[AnyEvent]) -> None:
        """Record events that were decided elsewhere (`recovery`)."""
        async with self._writing:
            self.make_sure()
            is_news = await self._commit(events, replay(events, self.state))
        if is_news:
            await self.delivery.heard()

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """Seam: what follows from a signal."""
        return decide(state, signal, self.policy)

    def persist(self, events: Sequence[AnyEvent]) -> None:
        """Seam: what of it is written."""
        self.journal.append(*events)

    def _following(self, signals: Sequence[Signal]) -> tuple[list[AnyEvent], State]:
        """What follows from these signals, one after the other, and the state after it."""
        self.make_sure()
        after = self.state
        events: list[AnyEvent] = []
        for signal in signals:
            for event in self.decide(after, signal):
                after = evolve(after, event)
                events.append(event)
        return events, after

    async def _commit(self, events: Sequence[AnyEvent], after: State) -> bool:
        """Write them, and let a bench stop the loop right before and right behind it."""
        if not events:
            return False
        self.ahead = after
        try:
            await self.landmarks.reach("before_journal", events)
            is_news = self._write(events, after)
        finally:
            self.ahead = self.state
        await self.landmarks.reach("after_journal", events)
        return is_news

    def _write(self, events: Sequence[AnyEvent], after: State) -> bool:
        """Write them, and post what consumers are told of them. Returns whether that is anything.

        Both at once, so that consumers hear of events in the journal's order.
        """
        if not events:
            return False
        self._doubted = True
        self.persist(events)
        self._doubted = False
        self.state = self.ahead = after
        if not self.delivery.has_listeners:
            return False
        seen = [one for event in events for one in told(event)]
        self.delivery.post(*seen)
        return bool(seen)

    def check_lease(self) -> None:
        """Raise LeaseLost if this process was away for longer than its lease (SPEC L14).

        Asked right before a tool runs: it may have been frozen since the write-ahead.
        """
        if isinstance(self.journal, LeasedJournal):
            self.journal.lease.check()

    # --- consumers ----------------------------------------------------------------------------

    def note(self, event: ToolProgress) -> None:
        """Say what a running call says of itself; a call that is closed has nothing more to say."""
        record = self.state.turn.record(event.call)
        if record is not None and record.is_open:
            self.delivery.post(event)

    async def publish(self, event: AnyRunEvent) -> None:
        """Tell the subscribers, and wait until they have heard it (SPEC E2)."""
        self.delivery.post(event)
        await self.delivery.heard()
