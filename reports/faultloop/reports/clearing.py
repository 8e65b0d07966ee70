"""Clearing a directory of an earlier report: only what a report wrote is ever deleted.

A directory is taken for a report by what its files say, never by their names: `summary.json` must
be a summary, kept plays must begin with their header, a folder of a failure must hold a play. If
anything that would have to go is not ours, nothing goes. What a person has put beside a report
stays there. The stamp of a matrix vouches for its cell, whatever a crash has left of the report.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from faultloop.reports import failures, kept
from faultloop.reports.matrix.stamp import read_stamp
from faultloop.reports.reading import FILES, KEPT, SUMMARY, BadReport, read_summary


def foreign(report: Path) -> str | None:
    """Why this directory cannot be emptied for a new report, in a few words; None if it can."""
    names = sorted(path.name for path in report.iterdir())
    plays = sorted(path.name for path in report.glob(KEPT))
    is_cell = read_stamp(report) is not None
    if not names:
        return None
    if SUMMARY not in names and not plays and not is_cell:
        return f"is not empty and holds no report (there is {names[0]})"
    others = [
        *(name for name in FILES if name in names and not _is_file(report / name)),
        *([SUMMARY] if _is_foreign_summary(report) and not is_cell else []),
        *(name for name in plays if not (_is_file(report / name) and kept.is_kept(report / name))),
        *_foreign_failures(report / failures.FOLDER),
    ]
    return f"holds {others[0]}, which no report wrote" if others else None


def clear(report: Path) -> None:
    """Delete an earlier report. Ask `foreign` first. Raises OSError."""
    folder = report / failures.FOLDER
    if folder.is_dir():
        for failure in folder.iterdir():
            failures.delete(failure)
        folder.rmdir()
    # What tells that the rest is a report goes last: whoever is stopped here can go on.
    for file in (*(report / name for name in reversed(FILES)), *report.glob(KEPT)):
        file.unlink(missing_ok=True)


def _is_file(path: Path) -> bool:
    """A file itself: no folder, and no link to one that is somebody else's."""
    return path.is_file() and not path.is_symlink()


def _is_foreign_summary(report: Path) -> bool:
    if not _is_file(report / SUMMARY):
        return False
    try:
        read_summary(report)
    except BadReport:
        return True
    return False


def _foreign_failures(folder: Path) -> Iterator[str]:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        yield failures.FOLDER  # what a link leads to is somebody else's
    elif folder.is_dir():
        for path in sorted(folder.iterdir()):
            if not failures.is_saved(path):
                yield f"{failures.FOLDER}/{path.name}"
