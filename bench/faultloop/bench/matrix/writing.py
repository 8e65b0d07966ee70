"""The pages of a matrix on disk: where they may be written, and what they may not name."""

from __future__ import annotations

from pathlib import Path

from faultloop.bench.matrix.cell import CELLS
from faultloop.reports.matrix import overview, pages
from faultloop.reports.matrix.values import Matrix
from faultloop.reports.writing import ReportUnwritable, replace
from faultloop.scenarios.room import why
from faultloop.scenarios.subjects.installed import cache_folder

MARKDOWN = "matrix.md"
PAGE = "matrix.html"


def make_room(out: Path, write: Path | None) -> None:
    """Make the folders of a matrix. Raises ReportUnwritable, also where others keep files."""
    there = _made(out)
    if there and not (out / CELLS).is_dir():  # beside the cells of a matrix anything may lie
        raise ReportUnwritable(
            out,
            f"{out} is not empty and holds no matrix (there is {there[0]}); nothing was played,"
            " choose another directory with --report-dir",
        )
    if write is not None:
        _made(write)


def _made(folder: Path) -> list[str]:
    """Make it, and return the names of what is there already."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return sorted(path.name for path in folder.iterdir())
    except OSError as error:
        raise ReportUnwritable(
            folder, f"the matrix cannot be written to {folder}: {why(error)}; nothing was played"
        ) from error


def write_pages(folder: Path, made: Matrix, *, alone: bool = False) -> None:
    """Write both pages; `alone`: for others, who have no cells. Raises ReportUnwritable."""
    markdown, page = pages.markdown(made), overview.html(made, alone=alone)
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
