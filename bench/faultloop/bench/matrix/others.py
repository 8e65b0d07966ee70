"""The cells that lie in a matrix and whose subjects were not asked for now.

A page is added to by naming the new subject only. An old cell stands beside it where it is of the
same plays: the same scenarios, seed, repeats and faultloop, and a driver that has not changed
since. Any other is named with that reason, for beside plays of another kind it would mislead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from faultloop.bench.matrix.cell import CELLS, SECOND, Cell, cell_of
from faultloop.bench.selection import BadSelection, choose
from faultloop.bench.wanted import Selection
from faultloop.reports.matrix.stamp import Stamp, read_stamp
from faultloop.reports.matrix.values import Left
from faultloop.scenarios.subject import BadSubject

STALE = (
    "what lies here of it was played with other options, by another faultloop or driver, or not to"
    " its end; name it to have it played like these"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Others:
    """What there is of subjects that were not asked for."""

    cells: tuple[Cell, ...] = ()
    """Those to be shown."""
    left: tuple[Left, ...] = ()
    """Those not to be."""


def others(selection: Selection, out: Path, asked: Sequence[Cell], *, faultloop: str) -> Others:
    """What lies in `out` beside the cells that were asked for."""
    names = {cell.folder.name for cell in asked}
    folders = sorted((out / CELLS).iterdir()) if (out / CELLS).is_dir() else []
    cells: list[Cell] = []
    left: list[Left] = []
    for folder in folders:
        stamp = read_stamp(folder)
        if stamp is None or folder.name in names or folder.name.endswith(SECOND):
            continue
        now = _now(selection, out, stamp, faultloop)
        if isinstance(now, Cell) and now.folder == folder and now.is_finished:
            cells.append(now)
        else:
            why = now if isinstance(now, str) else STALE
            left.append(Left(subject=stamp.name, version=stamp.version, why=why))
    return Others(cells=tuple(cells), left=tuple(left))


def _now(selection: Selection, out: Path, stamp: Stamp, faultloop: str) -> Cell | str:
    """The cell that would be made of this subject now, or why there would be none."""
    try:
        lots = choose(replace(selection, subjects=(stamp.chosen,)))
    except (BadSelection, BadSubject) as error:
        return str(error)
    return cell_of(lots, out, faultloop=faultloop)
