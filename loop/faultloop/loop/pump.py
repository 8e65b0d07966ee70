"""A stream that somebody else's code makes, read in a task of its own so that it can be given up.

    piece    asks for the next one and waits for it, or for as long as it may take
    task     what reads; cancel it, and whatever the stream makes of that, nobody hangs on it

All of the stream runs in that one task, its end included, so what it holds open across its pieces
(a timeout, a cancel scope) stays where it was opened. It is read only as far as it was asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, suppress

from faultloop.loop.answers import NoAnswer
from faultloop.loop.stop import is_cancelled_itself

OVER = object()
"""In the place of a piece: there are no more."""


class Pump:
    """Reads one stream."""

    def __init__(
        self, stream: AsyncIterator[object], inside: Callable[[], AbstractContextManager[None]]
    ) -> None:
        """`inside` is entered whenever the stream's code runs for a piece."""
        self._stream = stream
        self._inside = inside
        self._asked = asyncio.Event()
        self._piece: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self.task = asyncio.create_task(self._run())

    async def piece(self, seconds: float | None) -> object:
        """The next piece, or OVER. Raises NoAnswer where time is up, and what the stream raises."""
        self._piece = asyncio.get_running_loop().create_future()
        self._asked.set()
        await asyncio.wait((self._piece,), timeout=seconds)
        if not self._piece.done():
            raise NoAnswer(f"its answer did not begin within {seconds:g} s")
        return self._piece.result()

    async def _run(self) -> None:
        try:
            await self._pieces()
        except BaseException as raised:
            if isinstance(raised, GeneratorExit):
                raise
            if not is_cancelled_itself():
                self._piece.set_exception(raised)
        close = getattr(self._stream, "aclose", None)
        if close is None:
            return
        with suppress(BaseException):  # its answer is whole or lost by now
            await close()

    async def _pieces(self) -> None:
        said: object = None
        while said is not OVER and not is_cancelled_itself():
            await self._asked.wait()
            self._asked.clear()
            with self._inside():
                said = await self._next()
            self._piece.set_result(said)

    async def _next(self) -> object:
        # Not `anext(stream, OVER)`: CPython (3.11 to 3.13) dies of it where `__anext__` is a plain
        # method that raises.
        try:
            return await anext(self._stream)
        except StopAsyncIteration:
            return OVER
