"""A report directory that is written whole, and the names of its files."""

from __future__ import annotations

from pathlib import Path

from faultloop.reports.rows import Played
from faultloop.reports.store import ReportDirectory

FILES = {
    "failures",
    "histories.jsonl.gz",
    "junit.xml",
    "plays.parquet",
    "report.html",
    "report.md",
    "summary.json",
    "timings.parquet",
}


def written(path: Path, plays: list[Played]) -> Path:
    report = ReportDirectory(path, seed=7)
    report.prepare()
    for played in plays:
        report.keep(played)
    report.finish()
    return path


def names(path: Path) -> set[str]:
    return {file.name for file in path.iterdir()}
