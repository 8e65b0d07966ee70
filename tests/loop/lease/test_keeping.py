"""The heartbeat and the looks around each append; time passes when the test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from faultloop.loop.events import TurnStarted
from faultloop.loop.journal.memory import MemoryJournal
from faultloop.loop.journal.port import JournalUnusable, LeaseLost
from faultloop.loop.lease.keeping import Keeper, LeasedJournal


@dataclass
class Toy:
    """A lease that is lost when the test says so, and notes what is done with it."""

    heartbeat_s: float = 10.0
    done: list[str] = field(default_factory=list)
    trouble: dict[str, Exception] = field(default_factory=dict)

    def _do(self, what: str) -> None:
        self.done.append(what)
        if what in self.trouble:
            raise self.trouble[what]

    def acquire(self) -> None:
        self._do("acquire")

    def renew(self) -> None:
        self._do("renew")

    def check(self) -> None:
        self._do("check")

    def release(self) -> None:
        self._do("release")


class Sleeper:
    """Sleeps until it is told to wake."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.wakes: asyncio.Queue[None] = asyncio.Queue()

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)
        await self.wakes.get()

    async def beat(self, then: Callable[[], bool]) -> None:
        """One heartbeat; returns once `then` holds."""
        self.wakes.put_nowait(None)
        while not then():
            await asyncio.sleep(0)


def never(lost: LeaseLost) -> None:
    raise AssertionError("it was not lost")


def test_a_lease_is_renewed_at_its_own_pace_until_it_is_let_go() -> None:
    async def story() -> None:
        lease, sleep = Toy(), Sleeper()
        keeper = Keeper(lease, sleep=sleep)
        keeper.take(never)
        for beats in (1, 2, 3):
            await sleep.beat(lambda beats=beats: lease.done.count("renew") == beats)
        assert keeper.let_go()
        sleep.wakes.put_nowait(None)
        await asyncio.sleep(0)
        assert lease.done == ["acquire", "renew", "renew", "renew", "release"]
        assert set(sleep.slept) == {10.0}

    asyncio.run(story())


def test_a_lease_that_is_found_lost_is_told_once_and_not_renewed_again() -> None:
    async def story() -> None:
        lost: list[LeaseLost] = []
        lease, sleep = Toy(trouble={"renew": LeaseLost("gone")}), Sleeper()
        keeper = Keeper(lease, sleep=sleep)
        keeper.take(lost.append)
        await sleep.beat(lambda: bool(lost))
        sleep.wakes.put_nowait(None)
        await asyncio.sleep(0)
        assert [str(one) for one in lost] == ["gone"]
        assert lease.done == ["acquire", "renew"]
        assert keeper.is_lost()

    asyncio.run(story())


def test_a_heartbeat_that_cannot_be_written_is_tried_again() -> None:
    async def story() -> None:
        lease, sleep = Toy(trouble={"renew": JournalUnusable("the disk is full")}), Sleeper()
        keeper = Keeper(lease, sleep=sleep)
        keeper.take(never)
        await sleep.beat(lambda: lease.done.count("renew") == 1)
        assert not keeper.is_lost()
        lease.trouble.clear()
        await sleep.beat(lambda: lease.done.count("renew") == 3)
        keeper.let_go()

    asyncio.run(story())


def test_without_a_lease_nothing_is_kept() -> None:
    keeper, journal = Keeper(None), MemoryJournal()
    keeper.take(never)
    assert keeper.journal(journal) is journal
    assert not keeper.is_lost()
    assert not keeper.let_go()


def test_a_journal_is_written_only_under_its_lease() -> None:
    lease, inner = Toy(), MemoryJournal()
    journal = LeasedJournal(inner, lease)
    journal.append(TurnStarted(turn=1))
    assert lease.done == ["check", "check"]
    lease.trouble["check"] = LeaseLost("gone")
    with pytest.raises(LeaseLost):
        journal.append(TurnStarted(turn=2))
    with pytest.raises(LeaseLost):
        journal.load()
    journal.close()
    assert inner.load() == [TurnStarted(turn=1)]


def test_a_process_that_was_frozen_in_an_append_is_stopped_behind_it() -> None:
    lease, inner = Toy(), MemoryJournal()

    class Freezing(MemoryJournal):
        def append(self, *events: object) -> None:
            inner.append(*events)  # type: ignore[arg-type]
            lease.trouble["check"] = LeaseLost("gone")

    with pytest.raises(LeaseLost):
        LeasedJournal(Freezing(), lease).append(TurnStarted(turn=1))
    assert inner.load() == [TurnStarted(turn=1)]
