"""Streams a second of the peers beside ours and the bare servers, in rounds that take turns.

The work is that of `serve`: the same requests, as many events, the same client which checks each
stream. Every server has the servers' core to itself for its turn, and the client another. A peer
is configured for its best speed (`PEERS`); one that is not installed has no figure.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from math import nan

from faultloop.bench.perf.load import BODY, EVENTS, Load
from faultloop.bench.perf.measurement import Bound, Figure, Figures, Measurement, Sides
from faultloop.bench.perf.peers.peer import NOT_INSTALLED, NotInstalled, cache_folder
from faultloop.bench.perf.peers.servers import BY_NAME, process, say
from faultloop.bench.perf.peers.streams import PLAIN
from faultloop.bench.perf.serve import (
    CONNECTIONS,
    FLUSHED_RATIO,
    STREAMS,
    off_its_core,
    served,
)
from faultloop.bench.perf.served import fastest_loop

STREAMS_OF = {"aimock": STREAMS, "llmock": STREAMS // 5}
"""llmock takes some five times as long for each; a round of either should not be the longer one."""

COMPARED = (
    ("coalesced", "aimock", Bound("at least", 3)),
    ("coalesced", "llmock", Bound("at least", 20)),
    ("coalesced", "bare-coalesced", None),
    ("flushed", "aimock", None),
    ("flushed", "llmock", None),
    ("flushed", "bare", FLUSHED_RATIO),
)
"""Which of ours is told beside which other server, and what the ratio has to keep."""

OURS = {"coalesced": "fakes-coalesced", "flushed": "fakes"}
"""Our two modes, as `served` calls them."""


class PlainLoad(Load):
    """The same requests for a server where all share one path."""

    def __init__(self, port: int, streams: int, path: str) -> None:
        super().__init__(port, streams)
        head = (
            f"POST {path} HTTP/1.1\r\nhost: fake\r\ncontent-type: application/json\r\n"
            f"content-length: {len(BODY)}\r\n\r\n"
        )
        self._bytes = head.encode() + BODY

    def request(self) -> bytes:
        """The next request."""
        return self._bytes


@contextmanager
def peer(name: str) -> Iterator[int | None]:
    """A peer that says what the work is; gives its port, or None where it is not installed."""
    server = BY_NAME[name]
    assert server.peer is not None
    with ExitStack() as stack:
        try:
            port = stack.enter_context(process(server.peer, cache_folder()))
        except NotInstalled:
            yield None
        else:
            say(server, port, PLAIN[name])
            yield port


def speed(load: Load) -> float:
    """Streams a second. Raises RuntimeError for a stream that is not as it should be."""
    with off_its_core(), asyncio.Runner(loop_factory=fastest_loop()) as runner:
        return runner.run(load.put_on(CONNECTIONS))


@contextmanager
def beside_each_other() -> Iterator[Sides]:
    """All servers, of which one works at a time."""
    with ExitStack() as stack:
        ports = {kind: stack.enter_context(served(kind)).port for kind in OURS.values()}
        bare = {kind: stack.enter_context(served(kind)).port for kind in ("bare", "bare-coalesced")}
        peers = {name: stack.enter_context(peer(name)) for name in STREAMS_OF}

        def measured() -> Figures:
            found = {mode: speed(Load(ports[kind], STREAMS)) for mode, kind in OURS.items()}
            return tuple(found[mode] for mode, _, _ in COMPARED)

        def baseline() -> Figures:
            found = {kind: speed(Load(port, STREAMS)) for kind, port in bare.items()}
            for name, port in peers.items():
                path = BY_NAME[name].path("openai_chat", stream=True)
                streams = STREAMS_OF[name]
                found[name] = nan if port is None else speed(PlainLoad(port, streams, path))
            return tuple(found[other] for _, other, _ in COMPARED)

        yield Sides(measured, baseline)


PEERS_SPEED = (
    Measurement(
        name="peers",
        says=f"our streams of {EVENTS} events over {CONNECTIONS} connections, as for serve",
        against="aimock, llmock and the bare servers of serve, told to send as many events",
        figures=tuple(
            Figure(
                name=f"{mode} : {other}",
                unit="streams/s",
                ratio_bound=bound,
                without=NOT_INSTALLED if other in STREAMS_OF else "",
            )
            for mode, other, bound in COMPARED
        ),
        open=beside_each_other,
        rounds=5,
        budget_s=30,
    ),
)
