"""The report of a comparison on disk: four files, each the old one or the new one, never half.

    accuracy.json      conclusions, for machines; written first: by it the folder is known as ours
    accuracy.parquet   an observation a row
    accuracy.md        for a comment on a pull request
    accuracy.html      the page: one file that asks no network for anything

A folder that holds anything but such a report is left alone.
"""

from __future__ import annotations

from pathlib import Path

from faultloop.reports.accuracy.markdown import markdown
from faultloop.reports.accuracy.page import html
from faultloop.reports.accuracy.results import Results
from faultloop.reports.accuracy.rows import observations_parquet
from faultloop.reports.accuracy.summary import is_summary, summary_json
from faultloop.reports.holding import Hold
from faultloop.reports.writing import ReportUnwritable, replace
from faultloop.scenarios.room import why

SUMMARY = "accuracy.json"
OBSERVATIONS = "accuracy.parquet"
MARKDOWN = "accuracy.md"
PAGE = "accuracy.html"
FILES = (SUMMARY, OBSERVATIONS, MARKDOWN, PAGE)


def write_report(folder: Path, results: Results) -> Path:
    """Write the report, over an earlier one if there is one; the page's path.

    Raises ReportUnwritable, also where the folder holds what no comparison wrote, and where another
    process is writing there.
    """
    check_folder(folder)
    made: tuple[bytes | str, ...] = (
        summary_json(results),
        observations_parquet(results.observations),
        markdown(results),
        html(results),
    )
    hold = Hold(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        hold.take()
        for name, content in zip(FILES, made, strict=True):
            replace(folder / name, content)
    except OSError as error:
        raise ReportUnwritable(
            folder,
            f"the report in {folder} is not complete: {why(error)}; make room, or choose another "
            "folder, and run the same command again",
        ) from error
    finally:
        hold.release()
    return folder / PAGE


def check_folder(folder: Path) -> None:
    """Whether a report may be written here; worth asking before a long run, too.

    Raises ReportUnwritable.
    """
    try:
        found = _foreign(folder) if folder.exists() else None
    except OSError as error:
        raise ReportUnwritable(
            folder, f"the folder {folder} cannot be read: {why(error)}; choose another one"
        ) from error
    if found:
        raise ReportUnwritable(
            folder, f"{folder} {found}; nothing was written, choose another folder"
        )


def _foreign(folder: Path) -> str | None:
    """Why a report must not be written here, in a few words."""
    if not folder.is_dir():
        return "is no folder"
    drafts = {f".{name}.draft" for name in FILES}
    names = sorted(path.name for path in folder.iterdir() if path.name not in drafts)
    if not names:
        return None
    if SUMMARY not in names:
        return f"is not empty and holds no report of a comparison (there is {names[0]})"
    for name in FILES:
        path = folder / name
        if name in names and (path.is_symlink() or not path.is_file()):
            return f"holds {name}, which no comparison wrote"
    return None if is_summary(folder / SUMMARY) else f"holds {SUMMARY}, which no comparison wrote"
