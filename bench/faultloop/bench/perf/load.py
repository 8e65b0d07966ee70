"""A client that asks for streams as fast as it can, and checks each of them.

It knows just enough of HTTP: a connection is kept, a stream ends with its last chunk. What is no
stream of so many events to its end mark is an error, not a result.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from itertools import count
from statistics import median
from typing import cast

EVENTS = 23
"""Events of each stream, the end mark included."""

BODY = json.dumps(
    {
        "model": "m",
        "stream": True,
        "messages": [{"role": "user", "content": "Go."}],
        "tools": [{"type": "function", "function": {"name": "read_file", "parameters": {}}}],
    }
).encode()
LAST_CHUNK = b"\r\n0\r\n\r\n"


class Load:
    """So many streams, shared among connections."""

    def __init__(
        self, port: int, streams: int, *, paths: Iterator[str] | None = None, events: int = EVENTS
    ) -> None:
        """`paths`: of one request after the other; left out, each is in a play of its own."""
        self.left = streams
        self.events = events
        self.taken_s: list[float] = []
        self._port = port
        self._paths = paths or (f"/r/{number}/1/v1/chat/completions" for number in count())

    async def put_on(self, connections: int) -> float:
        """Streams a second. Raises RuntimeError for a stream that is none."""
        loop, streams = asyncio.get_running_loop(), self.left
        began_s = time.perf_counter()
        askers = [
            (await loop.create_connection(lambda: Asker(self), "127.0.0.1", self._port))[1]
            for _ in range(connections)
        ]
        await asyncio.gather(*(asker.over for asker in askers))
        return streams / (time.perf_counter() - began_s)

    @property
    def p50_ms(self) -> float:
        """The median time from a request to the end of its stream."""
        return median(self.taken_s) * 1000

    def request(self) -> bytes:
        """The next request."""
        head = (
            f"POST {next(self._paths)} HTTP/1.1\r\nhost: fake\r\n"
            f"content-type: application/json\r\ncontent-length: {len(BODY)}\r\n\r\n"
        )
        return head.encode() + BODY


class Asker(asyncio.Protocol):
    """One connection, one request after the other."""

    def __init__(self, load: Load) -> None:
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._load = load
        self._seen = bytearray()
        self._began_s = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the first time."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's are none by descent
        self._ask()

    def _ask(self) -> None:
        if self._load.left <= 0:
            self.over.set_result(None)
            self._transport.close()
            return
        self._load.left -= 1
        self._seen.clear()
        self._began_s = time.perf_counter()
        self._transport.write(self._load.request())

    def data_received(self, data: bytes) -> None:
        """A stream goes on, and may be over."""
        self._seen += data
        if self._seen.endswith(LAST_CHUNK):
            self._load.taken_s.append(time.perf_counter() - self._began_s)
            events = self._load.events
            if self._seen.count(b"data: ") == events and b"data: [DONE]" in self._seen:
                self._ask()
            else:
                self._fail(f"no stream of {events} events: {bytes(self._seen[:500])!r}")

    def connection_lost(self, exc: Exception | None) -> None:
        """The server must not close it first."""
        self._fail("the server closed a connection")

    def _fail(self, why: str) -> None:
        if not self.over.done():
            self.over.set_exception(RuntimeError(why))
            self._transport.close()
