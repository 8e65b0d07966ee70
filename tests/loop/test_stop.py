"""The stop signal: one shot, and what it does to work that is under way."""

from __future__ import annotations

import asyncio

import pytest

from faultloop.loop.signals import LimitHit, Stopped
from faultloop.loop.stop import Cut, StopSignal

from .story import played

USER, TIME = Stopped(cause="user"), LimitHit(limit="timeout")


async def forever() -> None:
    await asyncio.Event().wait()


def test_the_first_cause_wins() -> None:
    async def go() -> None:
        signal = StopSignal()
        assert not signal.fired
        signal.fire(TIME)
        signal.fire(USER)
        assert signal.what == TIME
        assert signal.event.is_set()

    played(go())


def test_work_under_way_is_cut_once_it_has_really_stopped() -> None:
    async def go() -> None:
        signal, tidied = StopSignal(), []

        async def work() -> None:
            asyncio.get_running_loop().call_soon(signal.fire, USER)
            try:
                await forever()
            finally:
                await asyncio.sleep(0)
                tidied.append(True)

        with pytest.raises(Cut):
            await signal.cut(work())
        assert tidied == [True]

    played(go())


def test_nothing_begins_after_it_fired() -> None:
    async def go() -> None:
        signal, begun = StopSignal(), []

        async def work() -> None:
            begun.append(True)

        signal.fire(USER)
        with pytest.raises(Cut):
            await signal.cut(work())
        assert begun == []

    played(go())


def test_work_that_is_finished_is_finished() -> None:
    async def go() -> str:
        signal = StopSignal()

        async def last_word() -> str:
            asyncio.get_running_loop().call_soon(signal.fire, USER)
            return "done"

        return await signal.cut(last_word())

    assert played(go()) == "done"


def test_work_that_fails_fails_as_itself() -> None:
    async def go() -> None:
        async def work() -> None:
            raise KeyError("mine")

        await StopSignal().cut(work())

    with pytest.raises(KeyError, match="mine"):
        played(go())


def test_who_waits_for_the_work_can_be_cancelled_even_when_the_signal_fired_too() -> None:
    async def go() -> bool:
        signal = StopSignal()
        waiting = asyncio.ensure_future(signal.cut(forever()))
        await asyncio.sleep(0)
        signal.fire(USER)
        waiting.cancel()
        await asyncio.wait([waiting])
        return waiting.cancelled()

    assert played(go())


def test_work_that_cancels_itself_is_a_fault_and_no_cancel() -> None:
    async def work() -> None:
        raise asyncio.CancelledError

    async def go() -> None:
        await StopSignal().cut(work())

    with pytest.raises(RuntimeError, match="cancelled itself"):
        played(go())


@pytest.mark.parametrize("fires", ["before", "meanwhile", "never"])
def test_work_is_waited_for_until_it_is_over_and_cancelled_as_the_signal_fires(fires: str) -> None:
    async def go() -> bool:
        signal = StopSignal()
        task = asyncio.ensure_future(asyncio.sleep(0) if fires == "never" else forever())
        if fires == "before":
            signal.fire(USER)
        elif fires == "meanwhile":
            asyncio.get_running_loop().call_soon(signal.fire, USER)
        await signal.over(task, timeout_s=5)
        await asyncio.wait([task])
        return task.cancelled()

    assert played(go()) is (fires != "never")
