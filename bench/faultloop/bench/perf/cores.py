"""Plays of the sim tier on the whole machine: as many forked processes as it has cores.

Every process has a house of its own and shares nothing, so what is lost against one process alone
is what the cores share: memory, caches and whoever else uses the machine.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from multiprocessing.pool import Pool

from faultloop.bench.perf.measurement import Figure, Figures, Measurement, Sides
from faultloop.bench.perf.sim import PLAYS, must_hold, playing
from faultloop.scenarios.subject import Column
from faultloop.scenarios.subjects.reference import Port

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
PORTS: tuple[Port, ...] = ("direct", "http")


def lot(port: Port) -> int:
    """The plays of one process, of which the last is judged; says how many they were."""
    with playing(port, Column(streaming=True), count()) as play:
        made = [play() for _ in range(PLAYS)]
    must_hold(made[-1])
    return len(made)


def speeds(pool: Pool, processes: int) -> Figures:
    """Plays in a second of wall clock, of all processes together, for each port."""
    return tuple(_speed(pool, processes, port) for port in PORTS)


def _speed(pool: Pool, processes: int, port: Port) -> float:
    began_s = time.perf_counter()
    made = sum(pool.map(lot, [port for _ in range(processes)], chunksize=1))
    return made / (time.perf_counter() - began_s)


@contextmanager
def on_all_cores() -> Iterator[Sides]:
    """All processes at once, against a single one."""
    fork = multiprocessing.get_context("fork")
    with fork.Pool(CORES) as all_of_them, fork.Pool(1) as alone:
        yield Sides(measured=lambda: speeds(all_of_them, CORES), baseline=lambda: speeds(alone, 1))


BOTH_CORES = (
    Measurement(
        name="sim-both-cores",
        says=f"streamed plays, houses and all, in {CORES} processes, one a core, by the wall clock",
        against="the same in one process alone",
        figures=tuple(Figure(name=port, unit="plays/s") for port in PORTS),
        open=on_all_cores,
        rounds=7,
        budget_s=8,
    ),
)
