"""Keeping a lease while a session is open: the heartbeat, and the looks around each append.

    take      acquire it, and renew it now and then from a task of its own
    append    look before and after: a process that was frozen in between must not go on
    let_go    release it

A heartbeat that cannot be written (a full disk) is tried again at the next one: a lease that runs
out is not lost before somebody else takes it, and then the fence says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from faultloop.loop.events import AnyEvent
from faultloop.loop.journal.port import Journal, JournalUnusable, LeaseLost
from faultloop.loop.lease.port import Lease

Sleep = Callable[[float], Awaitable[None]]


class Keeper:
    """Holds a lease, or none, for one agent."""

    def __init__(self, lease: Lease | None, *, sleep: Sleep = asyncio.sleep) -> None:
        """Without a lease nothing here does anything."""
        self.lease = lease
        self._sleep = sleep
        self._beating: asyncio.Task[None] | None = None

    def journal(self, journal: Journal) -> Journal:
        """The journal as it is to be written while the lease is kept."""
        return journal if self.lease is None else LeasedJournal(journal, self.lease)

    def take(self, lost: Callable[[LeaseLost], None]) -> None:
        """Acquire it; `lost` is called at most once, when a heartbeat finds it lost.

        Raises LeaseHeld, JournalUnusable.
        """
        if self.lease is not None:
            self.lease.acquire()
            self._beating = asyncio.get_running_loop().create_task(self._beat(self.lease, lost))

    def let_go(self) -> bool:
        """Release it. Returns whether there is one at all, so that it must be taken again."""
        if self._beating is not None:
            self._beating.cancel()
            self._beating = None
        if self.lease is not None:
            self.lease.release()
        return self.lease is not None

    def is_lost(self) -> bool:
        """Whether it is certain that somebody else has it."""
        if self.lease is not None:
            try:
                self.lease.renew()
            except LeaseLost:
                return True
            except JournalUnusable:
                return False
        return False

    async def _beat(self, lease: Lease, lost: Callable[[LeaseLost], None]) -> None:
        while True:
            await self._sleep(lease.heartbeat_s)
            try:
                lease.renew()
            except LeaseLost as over:
                lost(over)
                return
            except JournalUnusable:
                continue


class LeasedJournal:
    """A journal that takes nothing from whoever has lost the lease.

    The fence alone would keep the journal right. What is looked at here besides keeps the world
    right: that a process was frozen between an append and what it was for is noticed before it is
    done.
    """

    def __init__(self, journal: Journal, lease: Lease) -> None:
        self.journal = journal
        self.lease = lease

    def append(self, *events: AnyEvent) -> None:
        """As the port says. One that raises LeaseLost may have written its events all the same."""
        self.lease.check()
        self.journal.append(*events)
        self.lease.check()

    def load(self) -> list[AnyEvent]:
        """As the port says; a history that is another's by now is not this one's to go on from."""
        self.lease.check()
        return self.journal.load()

    def close(self) -> None:
        """Of the journal; the lease is let go by whoever took it."""
        self.journal.close()
