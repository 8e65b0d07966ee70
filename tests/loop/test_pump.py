"""A stream that is read in a task of its own: on demand, to its end, and no longer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import nullcontext

import pytest

from faultloop.loop.answers import NoAnswer
from faultloop.loop.pump import OVER, Pump

from .story import played


class Counted:
    """One, two, and what it has come to."""

    def __init__(self) -> None:
        self.came_to: list[str] = []

    async def stream(self) -> AsyncIterator[object]:
        try:
            for piece in ("one", "two"):
                self.came_to.append(piece)
                yield piece
            await asyncio.Event().wait()
        finally:
            self.came_to.append("its end")


def test_it_is_read_as_far_as_it_was_asked_for_and_its_end_comes_with_the_stop() -> None:
    async def go() -> None:
        counted = Counted()
        pump = Pump(counted.stream(), nullcontext)
        await asyncio.sleep(0)
        assert counted.came_to == []
        assert await pump.piece(None) == "one"
        await asyncio.sleep(0)
        assert counted.came_to == ["one"]
        pump.task.cancel()
        await asyncio.wait([pump.task])
        assert counted.came_to == ["one", "its end"]

    played(go())


def test_what_does_not_come_in_time_is_no_answer_and_a_stop_while_it_waits_raises_nothing() -> None:
    async def go() -> None:
        counted = Counted()
        pump = Pump(counted.stream(), nullcontext)
        assert [await pump.piece(None), await pump.piece(None)] == ["one", "two"]
        with pytest.raises(NoAnswer, match="within 0 s"):
            await pump.piece(0)
        pump.task.cancel()
        await pump.task
        assert counted.came_to == ["one", "two", "its end"]

    played(go())


def test_at_its_end_the_task_is_over() -> None:
    async def nothing() -> AsyncIterator[object]:
        for piece in ():
            yield piece

    async def go() -> None:
        pump = Pump(nothing(), nullcontext)
        assert await pump.piece(None) is OVER
        await pump.task

    played(go())


@pytest.mark.filterwarnings("error")
def test_a_task_that_is_thrown_away_does_not_wait_for_the_end_of_its_stream() -> None:
    async def go() -> None:
        pump = Pump(Counted().stream(), nullcontext)
        await pump.piece(None)
        coroutine = pump.task.get_coro()
        pump.task.cancel()
        coroutine.close()
        await asyncio.wait([pump.task])

    played(go())


class Plain:
    """Its `__anext__` is a plain method: it gives something to wait for, or raises."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.left = ["one"]

    def __aiter__(self) -> Plain:
        return self

    def __anext__(self) -> Awaitable[str]:
        if not self.left:
            raise self.error
        piece = asyncio.get_running_loop().create_future()
        piece.set_result(self.left.pop())
        return piece


def test_a_stream_may_raise_before_there_is_anything_to_wait_for() -> None:
    async def go() -> None:
        pump = Pump(Plain(StopAsyncIteration()), nullcontext)
        assert [await pump.piece(None), await pump.piece(None)] == ["one", OVER]
        pump = Pump(Plain(ValueError("broken")), nullcontext)
        assert await pump.piece(None) == "one"
        with pytest.raises(ValueError, match="broken"):
            await pump.piece(None)

    played(go())
