"""What the pages tell beside the plays: the scenarios, how it was driven, what was chosen."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from faultloop.bench.matrix.cell import Cell
from faultloop.bench.wanted import Selection
from faultloop.reports.ends import accepted
from faultloop.reports.matrix.values import Told
from faultloop.reports.rows import scenario_file
from faultloop.scenarios.subjects.finding import asked_for, shipped_files
from faultloop.scenarios.subjects.process import ProcessSubject

README = "README.md"


def told_of(cells: Iterable[Cell]) -> dict[str, Told]:
    """All scenarios of these cells, by name."""
    scenarios = {
        piece.scenario.name: piece.scenario
        for cell in cells
        for lot in cell.lots
        for piece in lot.pieces
    }
    return {
        name: Told(scenario.claim, tuple(accepted(scenario_file(scenario))))
        for name, scenario in scenarios.items()
    }


def driven(cell: Cell) -> str:
    """The README beside its subject.toml; empty where there is none."""
    subject = cell.subject
    if not isinstance(subject, ProcessSubject):
        return ""
    try:
        return (_folder(subject) / README).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _folder(subject: ProcessSubject) -> Path:
    """Of its subject.toml: a path is how its user asked for it, unless it ships with the bench."""
    asked = Path(asked_for(subject.asked).subject)
    if asked.exists():
        return asked if asked.is_dir() else asked.parent
    named = asked.name.replace("-", "_")
    return next((file.parent for file in shipped_files() if file.parent.name == named), asked)


def part(selection: Selection) -> str:
    """Which part of the catalogue was asked for, in a few words; empty: all of it."""
    parts = ["quick, the classic faults only"] if selection.quick else []
    if not selection.quick and selection.scenarios != ("*",):
        parts.append("some scenarios only")
    if selection.dialects:
        parts.append(f"{' and '.join(selection.dialects)} only")
    if selection.streaming is not None:
        parts.append(f"{'streamed' if selection.streaming else 'whole'} only")
    return ", ".join(parts)
