"""`faultloop matrix` at work: cells one after another, then the pages of all that are finished.

    0 every subject that was asked for was played   2 bad input   3 some were not   130 Ctrl-C

What is broken does not show in the exit code: the matrix is made to show it. A subject that turns
out to be none on the way (no such program, say) is left out with its reason; the next is played.
"""

from __future__ import annotations

import dataclasses
import importlib.util
from collections.abc import Callable, Iterable, Iterator, Sequence
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

from faultloop.bench.matrix.cell import CELLS, Cell, cell_of
from faultloop.bench.matrix.identity import identity
from faultloop.bench.matrix.playing import play_cell
from faultloop.bench.matrix.second import in_doubt, second_cell
from faultloop.bench.selection import Lot, choose
from faultloop.bench.wanted import Selection
from faultloop.reports.matrix import pages
from faultloop.reports.matrix.policy import Policy, read_policies
from faultloop.reports.matrix.table import CellReport, Left, Matrix, matrix
from faultloop.reports.reading import BadReport, read_summary
from faultloop.reports.rows import Summary
from faultloop.reports.writing import ReportUnwritable, replace
from faultloop.scenarios.room import why
from faultloop.scenarios.subject import BadSubject
from faultloop.scenarios.subjects.finding import shipped
from faultloop.scenarios.subjects.installed import cache_folder
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
    _refuse_others_pages(out)
    for folder in (out, *([write] if write else ())):
        _make(folder)
    play = _Playing(today=today, port=port, fresh=fresh, err=err)
    made = Matrix(checks=(), columns=())
    failed: list[Left] = []
    with _progress(err) as progress:
        task = progress.add_task("", total=sum(cell.plays for cell in cells))
        for cell in cells:
            progress.update(task, description=cell.folder.name)
            try:
                play(cell, lambda more: progress.advance(task, more))
            except BadSubject as error:
                named = cell.subject
                failed.append(Left(subject=named.name, version=named.version, why=str(error)))
            else:
                _play_second(cell, out, play)
            made = matrix(_reports(out, cells), policies)
            made = dataclasses.replace(made, left=(*made.left, *failed, *_to_come(cells, cell)))
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
        try:
            play_cell(cell, faultloop=identity(), today=self.today, port=self.port, seen=seen)
        except ReportUnwritable as error:
            raise ReportUnwritable(cell.folder, _in_place(error.sentence, cell.folder)) from error


def _in_place(sentence: str, folder: Path) -> str:
    """What a report says of a folder, for the options and the habits of a matrix."""
    return sentence.replace("--report-dir", "--out").replace(
        f"`faultloop report {folder}` makes the report of those",
        "the same command goes on with the rest",
    )


def _play_second(cell: Cell, out: Path, play: _Playing) -> None:
    """What is in doubt, by the second driver; one that is none is as good as missing."""
    second = _second(cell, out)
    try:
        if second is not None:
            play(second, lambda _: None)
    except BadSubject as error:
        said = f"{cell.folder.name} has no second driver to ask: {error}"
        play.err.print(said, markup=False, highlight=False, soft_wrap=True)


def _to_come(cells: Sequence[Cell], done: Cell) -> Iterator[Left]:
    """What a page of a matrix that is stopped here must not keep silent about."""
    for cell in cells[cells.index(done) + 1 :]:
        if not cell.is_finished:
            subject = cell.subject
            yield Left(subject=subject.name, version=subject.version, why="not played yet")


def _second(cell: Cell, out: Path) -> Cell | None:
    doubted = in_doubt(read_summary(cell.folder))
    return second_cell(cell, doubted, out, faultloop=identity())


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
    """What there is by now of these cells, in their order: of these plays, and of no others."""
    return [
        CellReport(
            stamp=stamp,
            folder=str(cell.folder.relative_to(out)),
            summary=summary,
            second=_summary(second.folder) if second and second.is_finished else None,
        )
        for cell in cells
        if (stamp := cell.stamp) and (summary := _summary(cell.folder))
        for second in (_second(cell, out),)
    ]


def _summary(folder: Path) -> Summary | None:
    try:
        return read_summary(folder)
    except BadReport:
        return None


def _refuse_others_pages(out: Path) -> None:
    """Pages without cells beside them were written by somebody else. Raises ReportUnwritable."""
    if (out / CELLS).is_dir():
        return
    for page in (out / MARKDOWN, out / PAGE):
        if page.exists():
            raise ReportUnwritable(
                out,
                f"{page} is there already, and no matrix wrote it, for there are no cells beside"
                " it; nothing was played, choose another directory with --out",
            )


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReportUnwritable(
            folder,
            f"the matrix cannot be written to {folder}: {why(error)}; nothing was played",
        ) from error


def _write(folder: Path, made: Matrix, *, alone: bool = False) -> None:
    markdown, page = pages.markdown(made), pages.html(made, alone=alone)
    if alone:
        markdown, page = _of_no_machine(markdown), _of_no_machine(page)
    try:
        replace(folder / MARKDOWN, markdown)
        replace(folder / PAGE, page)
    except OSError as error:
        raise ReportUnwritable(
            folder, f"the matrix cannot be written to {folder}: {why(error)}; its cells are kept"
        ) from error


def _of_no_machine(page: str) -> str:
    """A page for others: what a subject wrote names the folders of whoever played it."""
    names = {cache_folder(): "$FAULTLOOP_CACHE", Path.cwd(): ".", Path.home(): "~"}
    for folder in sorted(names, key=lambda one: len(str(one)), reverse=True):
        if folder != folder.parent:
            page = page.replace(str(folder), names[folder])
    return page


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
