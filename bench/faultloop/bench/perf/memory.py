"""What the served fake keeps: after a hundred thousand requests, and with two thousand at once.

A server has a process of its own, and what it holds is read from outside while it serves. What is
flat is told by two readings, one after a warm-up in which caches and rings have filled.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from faultloop.bench.perf.load import Load
from faultloop.bench.perf.measurement import Bound, Figure, Figures, Measurement, Sides
from faultloop.bench.perf.serve import Served, off_its_core, served
from faultloop.bench.perf.served import BEFORE_IT_STANDS, SHORT_EVENTS, fastest_loop
from faultloop.bench.perf.talk import Line

REQUESTS = 100_000
"""Of all servers together."""
WARM_UP = 3000
"""So many first: more than a server keeps conversations."""
BEGUN_ANEW_AFTER = 1000
BARE = 10_000
"""Requests of the baseline."""
CONNECTIONS = 16
SLOW = 2000


def resident_mb(pid: int, *, most: bool = False) -> float:
    """What a process holds in memory, now or at its most. Raises OSError where Linux does not tell
    it."""
    wanted = "VmHWM:" if most else "VmRSS:"
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(wanted):
            return int(line.split()[1]) / 1024
    raise OSError(f"there is no {wanted} in /proc/{pid}/status")


def grown(server: Served, requests: int, ask: Callable[[int], object]) -> float:
    """What it holds after so many requests, to what it held after the warm-up."""
    ask(WARM_UP)
    before_mb = resident_mb(server.pid)
    ask(requests)
    return resident_mb(server.pid) / before_mb


def _put_on(server: Served, requests: int, paths: Iterator[str]) -> None:
    with off_its_core(), asyncio.Runner(loop_factory=fastest_loop()) as runner:
        load = Load(server.port, requests, paths=paths, events=SHORT_EVENTS)
        runner.run(load.put_on(CONNECTIONS))


def many_plays(server: Served) -> Callable[[int], object]:
    """Each request is a play of its own, which is over with it."""
    paths = (f"/r/{number}/1/v1/chat/completions" for number in count())
    return lambda requests: _put_on(server, requests, paths)


def many_conversations(server: Served) -> Callable[[int], object]:
    """Each request begins a hosted conversation, which has to make room for later ones."""
    paths = (f"/c/{number}/v1/chat/completions" for number in count())
    return lambda requests: _put_on(server, requests, paths)


def one_conversation(server: Served) -> Callable[[int], object]:
    """One hosted conversation, reset time and again."""

    def one() -> Iterator[str]:
        while True:
            yield "/c/one/v1/chat/completions"

    def ask(requests: int) -> None:
        for _ in range(0, requests, BEGUN_ANEW_AFTER):
            _put_on(server, BEGUN_ANEW_AFTER, one())
            asyncio.run(Line(server.port).post("/_faultloop/conversations/one/reset", b""))

    return ask


WAYS = (("plays-short", many_plays), ("hosted", many_conversations), ("hosted", one_conversation))


def after_many() -> Figures:
    """For each way of asking, how much more is held after its share of the requests."""
    ratios = []
    for kind, way in WAYS:
        with served(kind) as server:
            ratios.append(grown(server, REQUESTS // len(WAYS), way(server)))
    return tuple(ratios)


def after_many_bare() -> Figures:
    """The same of an app that remembers nothing."""
    with served("bare-short") as server:
        return (grown(server, BARE, many_plays(server)),) * len(WAYS)


@contextmanager
def _flat() -> Iterator[Sides]:
    yield Sides(measured=after_many, baseline=after_many_bare)


class Standing(asyncio.Protocol):
    """A client of one slow stream, which it leaves when it has to."""

    def __init__(self, load: Load, stands: asyncio.Semaphore) -> None:
        self._load = load
        self._stands = stands
        self._seen = bytearray()
        self.is_standing = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask."""
        self.transport = transport
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(self._load.request())

    def data_received(self, data: bytes) -> None:
        """Tell when all has come that comes before the stream stands still."""
        self._seen += data
        if not self.is_standing and self._seen.count(b"data: ") == BEFORE_IT_STANDS:
            self.is_standing = True
            self._stands.release()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is no longer held."""
        self.is_standing = False


async def held(server: Served, streams: int) -> Figures:
    """How many stand still at once, and the most that the server ever held, in MB."""
    loop, stands = asyncio.get_running_loop(), asyncio.Semaphore(0)
    paths = (f"/r/{number}/1/v1/chat/completions" for number in count())
    load = Load(server.port, streams, paths=paths)
    clients = [
        (await loop.create_connection(lambda: Standing(load, stands), "127.0.0.1", server.port))[1]
        for _ in range(streams)
    ]
    for _ in clients:
        await stands.acquire()
    standing = sum(client.is_standing for client in clients)
    most_mb = resident_mb(server.pid, most=True)
    for client in clients:
        client.transport.close()
    return float(standing), most_mb


def held_by(kind: str) -> Figures:
    """The same, of a server of this kind."""
    with served(kind) as server, off_its_core():
        return asyncio.run(held(server, SLOW))


@contextmanager
def _slow() -> Iterator[Sides]:
    yield Sides(measured=lambda: held_by("fakes-slow"), baseline=lambda: held_by("bare-slow"))


MEMORY = (
    Measurement(
        name="memory",
        says=f"what a server holds after {REQUESTS:,} requests in all, to what it held after "
        f"{WARM_UP:,} of each",
        against=f"an ASGI app on uvicorn that remembers nothing, after {BARE:,}",
        figures=tuple(
            Figure(name=name, unit="of before", bound=Bound("under", 1.05))
            for name in (
                "plays, each over with its request",
                "hosted conversations, new ones",
                f"one of them, reset after {BEGUN_ANEW_AFTER:,}",
            )
        ),
        open=_flat,
        rounds=1,
        budget_s=45,
        warms_up=False,
    ),
    Measurement(
        name="slow",
        says=f"{SLOW:,} slow streams at once, each a conversation of its own",
        against="an ASGI app on uvicorn that sends the same as slowly",
        figures=(
            Figure(name="held in one process", unit="streams", bound=Bound("at least", SLOW)),
            Figure(name="its peak memory", unit="MB", bound=Bound("under", 300)),
        ),
        open=_slow,
        rounds=1,
        budget_s=15,
        warms_up=False,
    ),
)
