"""A bound on silence: how long nothing may come where something is to come again and again.

`asyncio.timeout` would set and drop a timer for every sign of life, which costs more than most
signs are worth. Here one timer looks, when the time could be up, whether it is, and sets itself
anew if it is not; a sign of life is the note of a time.
"""

from __future__ import annotations

import asyncio
from types import TracebackType


class Silence:
    """`async with Silence(seconds) as silence:` raises TimeoutError where `heard` was not called
    for so long; None bounds nothing."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._limit = asyncio.timeout(None)
        self._timer: asyncio.TimerHandle | None = None
        self._paused = False

    async def __aenter__(self) -> Silence:
        await self._limit.__aenter__()
        self._now = asyncio.get_running_loop().time
        self.heard()
        if self._seconds is not None:
            self._look_after(self._seconds)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.over()
        await self._limit.__aexit__(kind, raised, trace)

    def heard(self) -> None:
        """A sign of life, or the end of a pause."""
        self._last_s = self._now()
        self._paused = False

    def pause(self) -> None:
        """What passes until the next `heard` is not the other side's time."""
        self._paused = True

    def over(self) -> None:
        """Nothing more has to come."""
        if self._timer is not None:
            self._timer.cancel()

    def _look_after(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(self._last_s + seconds, self._look, seconds)

    def _look(self, seconds: float) -> None:
        now_s = self._now()
        if self._paused:
            self._last_s = now_s
        if self._last_s + seconds > now_s:
            self._look_after(seconds)
        else:
            self._limit.reschedule(now_s)
