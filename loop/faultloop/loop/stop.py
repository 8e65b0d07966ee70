"""The stop signal: one shot, and the first cause wins (SPEC X1, X4).

It fires at once, from wherever the cancel comes; what happened is journalled at the next safe
point, by whoever runs the turn. Work that may be cut is run through `cut`: a model stream, a
retry's wait, a pending approval. Work that must come to its own end (a tool) watches `event`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from faultloop.loop.signals import LimitHit, Stopped

T = TypeVar("T")


class Cut(Exception):
    """The signal fired while this work was under way, and the work was stopped."""


class StopSignal:
    """The stop of one turn."""

    def __init__(self) -> None:
        self.event = asyncio.Event()
        self.what: Stopped | LimitHit | None = None
        self._when_fired: dict[object, Callable[[], object]] = {}
        """What to do then, by whom it is for."""

    @property
    def fired(self) -> bool:
        """Whether nothing further may start."""
        return self.what is not None

    def fire(self, what: Stopped | LimitHit) -> None:
        """Stop the turn, unless something else has already."""
        if self.what is not None:
            return
        self.what = what
        self.event.set()
        for act in tuple(self._when_fired.values()):
            act()

    def takes_along(self, input_id: str) -> None:
        """Input that was said before the cancel, and queued after it, goes the way of the rest."""
        if isinstance(self.what, Stopped) and input_id not in self.what.queued:
            self.what = replace(self.what, queued=(*self.what.queued, input_id))

    async def over(self, task: asyncio.Future[Any], *, timeout_s: float) -> None:
        """Wait until this is over or time is up. Cancel it, and wait no longer, when the signal
        fires; at once if it already has."""
        if self.fired:
            task.cancel()
        self._when_fired[task] = task.cancel
        try:
            await self.first_of((task,), timeout_s=timeout_s)
        finally:
            del self._when_fired[task]

    async def first_of(
        self, work: Iterable[asyncio.Future[Any]], *, timeout_s: float | None = None
    ) -> None:
        """Wait until any of this is over, the signal fires, or time is up; touch none of it.

        As `asyncio.wait` would, for a third of its price: each call of a tool waits here twice.
        """
        work = tuple(work)
        if self.fired or any(one.done() for one in work):
            return
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[None] = loop.create_future()

        def wake(_: object = None) -> None:
            if not waiting.done():
                waiting.set_result(None)

        timer = None if timeout_s is None else loop.call_later(timeout_s, wake)
        for one in work:
            one.add_done_callback(wake)
        self._when_fired[waiting] = wake
        try:
            await waiting
        finally:
            del self._when_fired[waiting]
            for one in work:
                one.remove_done_callback(wake)
            if timer is not None:
                timer.cancel()

    async def cut(self, work: Coroutine[Any, Any, T]) -> T:
        """Do the work, or as much of it as can be done before the signal fires.

        Raises Cut once the work has really stopped. Work that is finished when the signal comes
        is finished: its value is returned.
        """
        if self.fired:
            work.close()
            raise Cut
        task = asyncio.create_task(work)
        self._when_fired[task] = task.cancel
        try:
            return await task
        except asyncio.CancelledError:
            if is_cancelled_itself():
                raise
            if self.fired:
                raise Cut from None
            raise RuntimeError("the work cancelled itself, though nobody asked it to") from None
        finally:
            del self._when_fired[task]


def is_cancelled_itself() -> bool:
    """Whether it is not only the work but the task that waits for it that is to end."""
    waiting = asyncio.current_task()
    return waiting is not None and waiting.cancelling() > 0
