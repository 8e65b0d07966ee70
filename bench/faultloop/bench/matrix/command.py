"""`faultloop matrix` at work: cells one after another, then the pages of all that are finished.

    0 every subject that was asked for was played   2 bad input   3 some were not   130 Ctrl-C

What is broken does not show in the exit code: the matrix is made to show it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from faultloop.bench.matrix.cell import SECOND, Cell, cell_of
from faultloop.bench.matrix.identity import identity
from faultloop.bench.matrix.playing import play_cell
from faultloop.bench.matrix.second import in_doubt, second_cell
from faultloop.bench.selection import Lot, choose
from faultloop.bench.wanted import Selection
from faultloop.reports.matrix import pages
from faultloop.reports.matrix.policy import Policy, read_policies
from faultloop.reports.matrix.stamp import read_stamp
from faultloop.reports.matrix.table import CellReport, Matrix, matrix
from faultloop.reports.reading import BadReport, read_summary
from faultloop.reports.rows import Summary
from faultloop.reports.writing import ReportUnwritable, replace
from faultloop.scenarios.room import why
from faultloop.scenarios.subjects.finding import shipped
from faultloop.scenarios.subjects.process import ProcessSubject

MARKDOWN = "matrix.md"
PAGE = "matrix.html"
POLICIES = "policies.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What came of a matrix."""

    page: Path
    headline: str
    left: tuple[str, ...]
    """The subjects that could not be played, each with the reason."""


def every_stranger() -> tuple[str, ...]:
    """The names of all shipped subjects that are processes: what is played unless asked."""
    return tuple(one.name for one in shipped() if isinstance(one, ProcessSubject))


def run_matrix(
    selection: Selection,
    out: Path,
    *,
    today: date,
    port: int = 0,
    fresh: bool = False,
    write: Path | None = None,
    err: Console,
) -> Made:
    """Play all cells that are not finished, and make the pages in `out` (and alone in `write`).

    Raises what a run raises; cells that were finished before that stay.
    """
    policies = shipped_policies()
    cells = _cells(selection, out)
    play = _Playing(today=today, port=port, fresh=fresh, err=err)
    made = Matrix(checks=(), columns=())
    with _progress(err) as progress:
        task = progress.add_task("", total=sum(cell.plays for cell in cells))
        for cell in cells:
            progress.update(task, description=cell.folder.name)
            play(cell, lambda more: progress.advance(task, more))
            doubted = in_doubt(read_summary(cell.folder))
            second = second_cell(cell, doubted, out, faultloop=identity())
            if second is not None:
                play(second, lambda _: None)
            made = matrix(_reports(out, cells), policies)
            _write(out, made)  # there is something to look at from the first cell on
    if write is not None:
        _write(write, made, alone=True)
    return Made(
        page=out / PAGE,
        headline=pages.headline(made),
        left=tuple(f"{one.subject} {one.version}: {one.why}" for one in made.left),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Playing:
    """What all cells of a matrix are played with."""

    today: date
    port: int
    fresh: bool
    err: Console

    def __call__(self, cell: Cell, seen: Callable[[int], object]) -> None:
        """Play a cell, unless it is finished."""
        if cell.is_finished and not self.fresh:
            seen(cell.plays)
            return
        if not self.err.is_terminal:
            self.err.print(f"{cell.folder.name}: {cell.plays} plays", highlight=False)
        play_cell(cell, faultloop=identity(), today=self.today, port=self.port, seen=seen)


def shipped_policies() -> tuple[Policy, ...]:
    """The documented policies of the subjects that ship with the bench."""
    found = importlib.util.find_spec("faultloop.bench.subjects")
    assert found is not None
    assert found.origin is not None
    return read_policies(Path(found.origin).parent / POLICIES)


def _cells(selection: Selection, out: Path) -> tuple[Cell, ...]:
    by_subject: dict[tuple[str, str], list[Lot]] = {}
    for lot in choose(selection):
        by_subject.setdefault((lot.subject.name, lot.subject.version), []).append(lot)
    return tuple(cell_of(lots, out, faultloop=identity()) for lots in by_subject.values())


def _reports(out: Path, cells: Iterable[Cell]) -> list[CellReport]:
    """What is finished of these cells, in their order."""
    return [
        CellReport(
            stamp=stamp,
            folder=str(cell.folder.relative_to(out)),
            summary=summary,
            second=_summary(cell.folder.with_name(cell.folder.name + SECOND)),
        )
        for cell in cells
        if (stamp := read_stamp(cell.folder)) and (summary := _summary(cell.folder))
    ]


def _summary(folder: Path) -> Summary | None:
    try:
        return read_summary(folder)
    except BadReport:
        return None


def _write(folder: Path, made: Matrix, *, alone: bool = False) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace(folder / MARKDOWN, pages.markdown(made))
        replace(folder / PAGE, pages.html(made, alone=alone))
    except OSError as error:
        raise ReportUnwritable(
            folder, f"the matrix cannot be written to {folder}: {why(error)}; its cells are kept"
        ) from error


def _progress(err: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
    )
