"""Work that is held back: at the gate, or for ever.

Nothing here sleeps. Slow work waits for the bench to open the gate, which happens after the subject
is done with, so that a late effect is seen without guessing how long to wait. What hangs, or was
struck down together with its subject, waits until the stage closes.
"""

from __future__ import annotations

import asyncio

BEATS = 10
"""Of so many equal parts is a while in which nothing moves."""


class Held:
    """The gate of one play, and everybody who waits."""

    def __init__(self) -> None:
        self._gate = asyncio.Event()
        self._gate_for_deaf = asyncio.Event()
        self._deaf = 0
        """How much deaf work waits."""
        self._waiting: dict[asyncio.Task[object], None] = {}  # a set, in order of arrival

    def open_gate(self) -> None:
        """Let go on what waits at the gate, now and from now on."""
        self._gate.set()
        self._gate_for_deaf.set()

    def open_gate_for_deaf(self) -> bool:
        """Let go on what waits at the gate and hears nothing. False: there is no such work."""
        if self._deaf:
            self._gate_for_deaf.set()
        return bool(self._deaf)

    @property
    def is_open(self) -> bool:
        """Whether the gate has been opened."""
        return self._gate.is_set()

    async def at_gate(self, gone: asyncio.Event | None = None, *, deaf: bool = False) -> bool:
        """Wait for the gate. False: `gone` came first, and the gate is still closed."""
        gate = self._gate_for_deaf if deaf else self._gate
        self._deaf += deaf
        try:
            await self._first_of(gate, gone)
        finally:
            self._deaf -= deaf
        return gate.is_set()

    async def for_s(self, seconds: float, gone: asyncio.Event) -> bool:
        """Wait that long. False: `gone` came first."""
        try:
            async with asyncio.timeout(seconds):
                await self._first_of(gone)
        except TimeoutError:
            return True
        return False

    async def moved(self, event: asyncio.Event, within_s: float, gone: asyncio.Event) -> bool:
        """Wait for an event. False: it did not come in time; True also where `gone` came.

        In beats: a machine that stalls for seconds uses up one of them, and whatever arrived
        meanwhile is heard before the next.
        """
        for _ in range(BEATS):
            try:
                async with asyncio.timeout(within_s / BEATS):
                    await self._first_of(event, gone)
            except TimeoutError:
                continue
            return True
        return event.is_set()

    async def until(self, gone: asyncio.Event) -> None:
        """Wait until the client lets go."""
        await self._first_of(gone)

    async def for_ever(self) -> None:
        """Wait until the stage closes; ends only by being cancelled."""
        await self._first_of(asyncio.Event())

    async def close(self) -> None:
        """Cancel all who still wait and see them off."""
        waiting = tuple(self._waiting)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    async def _first_of(self, *events: asyncio.Event | None) -> None:
        wanted = [event for event in events if event is not None]
        if any(event.is_set() for event in wanted):
            return
        task = asyncio.current_task()
        assert task is not None, "the stage is driven by tasks"
        self._waiting[task] = None
        waits = [asyncio.ensure_future(event.wait()) for event in wanted]
        try:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for wait in done:
                wait.result()  # an event of another loop must not pass for one that was set
        finally:
            for wait in waits:
                wait.cancel()
            self._waiting.pop(task, None)
