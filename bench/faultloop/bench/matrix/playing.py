"""Playing cells: each is gone on with where it was left, and finished before the next is begun.

A cell that an interrupt leaves unfinished keeps its plays on disk; nothing else is lost.
"""

from __future__ import annotations

import contextlib
import os
import platform
import time
from collections.abc import Callable
from datetime import date

from faultloop.bench.matrix.cell import Cell
from faultloop.bench.running import play_lot
from faultloop.reports.matrix.stamp import Stamp
from faultloop.reports.rows import PlayKey, Summary
from faultloop.reports.store import ReportDirectory
from faultloop.reports.writing import ReportUnwritable
from faultloop.scenarios.room import why


def play_cell(
    cell: Cell, *, faultloop: str, today: date, port: int, seen: Callable[[int], object]
) -> Summary:
    """Play what is left of a cell and make its report, which is said to be of `today`.

    `seen` is told of how many plays more are done, as they are. Raises what `play_lot` and the
    report raise.
    """
    begun_s = time.monotonic()
    report = ReportDirectory(cell.folder, seed=cell.lots[0].seed)
    report.plan(cell.plays)
    before = cell.stamp
    done: frozenset[PlayKey] = frozenset()
    if before is None:
        report.prepare()
    else:
        done = report.resume()
    spent_s = before.wall_s if before is not None and done else 0.0
    stamp = _stamp(cell, faultloop, today)
    try:
        _begin(cell, stamp)
        seen(len(done))
        for lot in cell.without(done):
            play_lot(lot, keep=report.keep, seen=lambda: seen(1), port=port)
        return report.finish()
    finally:
        took = {"wall_s": spent_s + time.monotonic() - begun_s}
        with contextlib.suppress(OSError):  # without it only the time is not known
            cell.write(stamp.model_copy(update=took))
        report.close()


def _begin(cell: Cell, stamp: Stamp) -> None:
    try:
        cell.write(stamp)
    except OSError as error:
        raise ReportUnwritable(
            cell.folder, f"the cell {cell.folder} cannot be begun: {why(error)}; nothing was lost"
        ) from error


def _stamp(cell: Cell, faultloop: str, today: date) -> Stamp:
    lot = cell.lots[0]
    kills = [p for p in lot.pieces if any(e.do == "kill" for e in p.scenario.events)]
    return Stamp(
        fingerprint=cell.fingerprint,
        subject=cell.subject.name,
        version=cell.subject.version,
        about=cell.subject.about,
        chosen=lot.chosen,
        seed=lot.seed,
        kill_repeats=1 + max((piece.repeat for piece in kills), default=0),
        faultloop=faultloop,
        date=today.isoformat(),
        machine=machine(),
        wall_s=0.0,
    )


def machine() -> str:
    """What the plays are made on, in a few words."""
    cores = os.cpu_count() or 1
    return (
        f"{platform.system()} {platform.machine()}, {cores} core{'s' if cores > 1 else ''},"
        f" Python {platform.python_version()}"
    )
