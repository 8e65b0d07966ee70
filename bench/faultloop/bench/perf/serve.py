"""The fake provider as a server: streams a second, and how long one takes.

The server has a process and a core of its own, the client another. The baseline is an ASGI app on
uvicorn that has its events ready: what is lost against it is what it takes to be a provider.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import NamedTuple

from faultloop.bench.perf.load import EVENTS, Load
from faultloop.bench.perf.measurement import Bound, Figure, Figures, Measurement, Sides
from faultloop.bench.perf.served import fastest_loop

CONNECTIONS = 32
STREAMS = 2000
STREAMS_ALONE = 400
FLUSHED_RATIO = Bound("at least", 0.75)
"""What is wanted of the mode that sends each event as it comes, beside a bare server that does."""


class Served(NamedTuple):
    """A server in a process of its own."""

    port: int
    pid: int


@contextmanager
def served(kind: str) -> Iterator[Served]:
    """A server of this kind."""
    command = [sys.executable, "-m", "faultloop.bench.perf.served", kind]
    with servers_core():
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"{' '.join(command)} ended with exit code {process.wait()}")
        yield Served(int(line), process.pid)
        process.communicate()  # closes its input, which ends it


def servers_core() -> AbstractContextManager[None]:
    """Whatever is started meanwhile, with all of its threads, has the servers' core."""
    return _kept_to(lambda cores: {max(cores)})


def off_its_core() -> AbstractContextManager[None]:
    """This process leaves the servers' core alone, where there is another."""
    return _kept_to(lambda cores: cores - {max(cores)} or cores)


@contextmanager
def _kept_to(chosen: Callable[[set[int]], set[int]]) -> Iterator[None]:
    """On some of the cores, on systems where that can be said."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, chosen(cores))
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def speeds(each: int, coalesced: int) -> Figures:
    """Of the servers at two ports: streams a second of both, and the first one's median time."""
    with off_its_core(), asyncio.Runner(loop_factory=fastest_loop()) as runner:
        busy, joined, alone = (
            Load(each, STREAMS),
            Load(coalesced, STREAMS),
            Load(each, STREAMS_ALONE),
        )
        per_event = runner.run(busy.put_on(CONNECTIONS))
        in_one = runner.run(joined.put_on(CONNECTIONS))
        runner.run(alone.put_on(1))
    return per_event, in_one, alone.p50_ms


@contextmanager
def fakes_and_bare() -> Iterator[Sides]:
    """Four servers, of which one works at a time."""
    with ExitStack() as servers:
        kinds = ("fakes", "fakes-coalesced", "bare", "bare-coalesced")
        ours, ours_joined, bare, bare_joined = [
            servers.enter_context(served(kind)).port for kind in kinds
        ]
        yield Sides(
            measured=lambda: speeds(ours, ours_joined), baseline=lambda: speeds(bare, bare_joined)
        )


SERVE = (
    Measurement(
        name="serve",
        says=f"streams of {EVENTS} events over {CONNECTIONS} connections, each a conversation of "
        "its own",
        against="an ASGI app on uvicorn that has its events ready",
        figures=(
            Figure(name="flushed per event", unit="streams/s", ratio_bound=FLUSHED_RATIO),
            Figure(name="coalesced", unit="streams/s"),
            Figure(name="p50 of one at a time", unit="ms", bound=Bound("under", 1.5)),
        ),
        open=fakes_and_bare,
        rounds=5,
        budget_s=12,
    ),
)
