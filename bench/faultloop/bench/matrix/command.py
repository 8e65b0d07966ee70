"""`faultloop matrix` at work: cells one after another, then the pages of all that are finished.

    0 every subject that was asked for was played   2 bad input   3 some were not   130 Ctrl-C

What is broken does not show in the exit code: the matrix is made to show it. A subject that turns
out to be none on the way (no such program, say) is left out with its reason; the next is played.
Subjects that were not asked for stay on the page where they can stand there (`others`).
"""

from __future__ import annotations

import contextlib
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

from faultloop.bench.matrix.cell import Cell, cell_of
from faultloop.bench.matrix.identity import identity
from faultloop.bench.matrix.others import others
from faultloop.bench.matrix.playing import play_cell
from faultloop.bench.matrix.second import in_doubt, second_cell
from faultloop.bench.matrix.telling import driven, part, told_of
from faultloop.bench.matrix.writing import PAGE, make_room, write_pages
from faultloop.bench.selection import Lot, choose
from faultloop.bench.subjects_command.installing import not_installed
from faultloop.bench.wanted import Selection
from faultloop.reports.headline import plays
from faultloop.reports.matrix import pages
from faultloop.reports.matrix.policy import Policy, read_policies
from faultloop.reports.matrix.table import matrix
from faultloop.reports.matrix.values import CellReport, Left, Matrix
from faultloop.reports.reading import BadReport, read_summary
from faultloop.reports.rows import Summary
from faultloop.reports.writing import ReportUnwritable
from faultloop.scenarios.subject import BadSubject
from faultloop.scenarios.subjects.finding import shipped
from faultloop.scenarios.subjects.process import ProcessSubject

POLICIES = "policies.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What came of a matrix."""

    page: Path
    headline: str
    left: tuple[str, ...]
    """The subjects that were asked for and could not be played, each with the reason."""
    not_shown: tuple[str, ...] = ()
    """Subjects that nobody asked for now, and why what lies here of them is not on the page."""


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
    make_room(out, write)
    beside = others(selection, out, cells, faultloop=identity())
    play = _Playing(today=today, port=port, fresh=fresh, err=err)
    shown = (*cells, *beside.cells)
    told, chosen = told_of(shown), part(selection)
    made = Matrix(checks=(), columns=())
    failed: list[Left] = []
    left: tuple[Left, ...] = ()
    progress = _progress(err)
    task = progress.add_task("", total=sum(cell.plays for cell in cells))
    with _telling_what_is_kept(out, progress, play), progress:
        for number, cell in enumerate(cells, 1):
            progress.update(task, description=cell.folder.name)
            is_old = play.is_done(cell)
            try:
                with play.announced(cell, f"subject {number} of {len(cells)}"):
                    play(cell, lambda more: progress.advance(task, more))
            except BadSubject as error:
                named = cell.subject
                failed.append(Left(subject=named.name, version=named.version, why=str(error)))
            else:
                _play_second(cell, out, play)
            if is_old and cell is not cells[-1]:
                continue  # it is on the page that there is
            made = matrix(_reports(out, shown), policies)
            left = (*made.left, *failed, *_to_come(cells, cell))
            all_left = (*left, *beside.left)
            made = dataclasses.replace(made, left=all_left, told=told, part=chosen)
            write_pages(out, made)  # there is something to look at from the first cell on
    if write is not None:
        write_pages(write, made, alone=True)
    return Made(
        page=out / PAGE,
        headline=pages.headline(made),
        left=tuple(pages.why_left(one) for one in left),
        not_shown=tuple(pages.why_left(one) for one in beside.left),
    )


@contextlib.contextmanager
def _telling_what_is_kept(out: Path, progress: Progress, play: _Playing) -> Iterator[None]:
    """Whoever stops a matrix is told what of it is kept, and how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        (task,) = progress.tasks
        command = "the same command without --fresh" if play.fresh else "the same command"
        is_page = (out / PAGE).exists()
        page = f"{PAGE} shows what is finished" if is_page else "there is no page yet"
        play.say(
            f"{task.completed:.0f} of {plays(int(task.total or 0))} are kept in {out}, {page};"
            f" {command} goes on with the rest"
        )
        raise


@dataclass(frozen=True, slots=True, kw_only=True)
class _Playing:
    """What all cells of a matrix are played with."""

    today: date
    port: int
    fresh: bool
    err: Console

    def say(self, sentence: str) -> None:
        """Tell whoever waits."""
        self.err.print(sentence, markup=False, highlight=False, soft_wrap=True)

    def is_done(self, cell: Cell) -> bool:
        """Whether there is nothing to play."""
        return cell.is_finished and not self.fresh

    @contextlib.contextmanager
    def announced(self, cell: Cell, which: str) -> Iterator[None]:
        """Where no bar is seen, say what begins and when it is done."""
        name, is_silent = cell.folder.name, self.err.is_terminal or self.is_done(cell)
        if not is_silent and not_installed(cell.subject):
            self.say(f"{name}: not installed")
            is_silent = True
        if not is_silent:
            self.say(f"{name}: {which}, {plays(cell.plays)} to make")
        yield
        if not is_silent:
            self.say(f"{name}: {'done' if cell.is_finished else 'nothing could be played'}")

    def __call__(self, cell: Cell, seen: Callable[[int], object]) -> None:
        """Play a cell, unless it is finished."""
        if self.is_done(cell):
            seen(cell.plays)
            return
        try:
            play_cell(cell, faultloop=identity(), today=self.today, port=self.port, seen=seen)
        except ReportUnwritable as error:
            raise ReportUnwritable(cell.folder, _in_place(error.sentence, cell.folder)) from error


def _in_place(sentence: str, folder: Path) -> str:
    """What a report says of a folder, for the habits of a matrix."""
    theirs = f"`faultloop report {folder}` makes the report of those"
    return sentence.replace(theirs, "the same command goes on with the rest")


def _play_second(cell: Cell, out: Path, play: _Playing) -> None:
    """What is in doubt, by the second driver; one that is none is as good as missing."""
    second = _second(cell, out)
    try:
        if second is not None:
            play(second, lambda _: None)
    except BadSubject as error:
        sentence = str(error).replace(": command: ", ": second_command: ")  # it stood in for that
        play.say(f"{cell.folder.name} has no second driver to ask: {sentence}")


def _to_come(cells: Sequence[Cell], done: Cell) -> Iterator[Left]:
    """What a page of a matrix that is stopped here must not keep silent about."""
    for cell in cells[cells.index(done) + 1 :]:
        if not cell.is_finished:
            subject = cell.subject
            yield Left(
                subject=subject.name,
                version=subject.version,
                why="not played yet",
                is_to_come=True,
            )


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
            driven=driven(cell),
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
