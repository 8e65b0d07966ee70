"""The report directory: plays are kept as they finish, files are made of them at the end.

    run   ->  plays.jsonl (see `kept`)  ->  finish()  ->  summary.json, plays.parquet, ...

Until `finish` has written everything, plays.jsonl stays; after a run that was cut short, `complete`
makes the report of what was kept. A directory that holds anything but a report is left alone.
"""

from __future__ import annotations

import contextlib
import gzip
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace as replace_record
from pathlib import Path

import msgspec

from faultloop.reports import failures, forms, junit, kept, page, render
from faultloop.reports.clearing import clear, foreign
from faultloop.reports.holding import Hold
from faultloop.reports.reading import (
    HISTORIES,
    JUNIT,
    KEPT,
    MARKDOWN,
    PAGE,
    PLAYS,
    SUMMARY,
    TIMINGS,
    BadReport,
    Chapter,
    read_plays,
    read_summary,
)
from faultloop.reports.rows import Played, PlayKey, Row, Summary, rows, summarise
from faultloop.reports.tables import Timing, plays_parquet, timings_parquet
from faultloop.reports.writing import ReportUnwritable, replace, replacing
from faultloop.scenarios.room import why


class ReportDirectory:
    """Where a run puts what it found.

    The process that owns the run calls `prepare` first and `finish` last; each worker (or the
    owner itself, as worker "") calls `keep` for each play that it finished.
    """

    def __init__(self, path: Path, *, seed: int, worker: str = "") -> None:
        self.path = path
        self._seed = seed
        self._planned = 0
        self._kept_path = path / f"plays{'.' if worker else ''}{worker}.jsonl"
        self._appending: kept.Appending | None = None
        self._hold = Hold(path)

    def prepare(self) -> None:
        """Create the directory, or empty it of an earlier report; it is held until `finish` or
        `close`.

        Raises ReportUnwritable, also where something that no report wrote would be lost, and
        where another run is writing.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._hold.take()
            if found := foreign(self.path):
                raise ReportUnwritable(
                    self.path,
                    f"{self.path} {found}; nothing was deleted, choose another directory for "
                    "--report-dir",
                )
            clear(self.path)
            self._open()
        except ReportUnwritable:
            self.close()
            raise
        except OSError as error:
            self.close()
            raise ReportUnwritable(
                self.path,
                f"the report directory {self.path} cannot be made: {why(error)}; nothing was "
                "played, choose another one with --report-dir",
            ) from error

    def resume(self) -> frozenset[PlayKey]:
        """Go on with a run of the same seed that was cut short here: what it kept stays.

        Returns which plays these are, so that they are not played again. Without such a run it
        prepares the directory. Raises ReportUnwritable.
        """
        found = self._left_by_a_run_cut_short()
        if not found:
            self.prepare()
            return frozenset()
        others = {path.name for path in self.path.glob(KEPT)}
        self._kept_path = next(
            path
            for number in itertools.count(1)
            if (path := self.path / f"plays.again{number}.jsonl").name not in others
        )
        try:
            self._hold.take()
            self._open()
        except OSError as error:
            self.close()
            raise ReportUnwritable(
                self.path,
                f"the run in {self.path} cannot go on: {why(error)}; "
                f"{_counted(len(found))} that it kept stay there",
            ) from error
        return found

    def _left_by_a_run_cut_short(self) -> frozenset[PlayKey]:
        files = sorted(self.path.glob(KEPT)) if self.path.is_dir() else []
        try:
            headers, found = _kept(files)
        except BadReport:
            return frozenset()
        if {header.seed for header in headers} != {self._seed}:
            return frozenset()
        return frozenset(one.record.key for one in found)

    def plan(self, plays: int) -> None:
        """Say how many plays the whole run will make, before the first is kept; so that a report
        of fewer says that the run was cut short. Raises ReportUnwritable."""
        self._planned = plays
        if self._appending is None:
            return
        self._stop_keeping()
        try:
            self._open()
        except OSError as error:
            raise ReportUnwritable(
                self.path, f"the report in {self.path} cannot be begun: {why(error)}"
            ) from error

    def keep(self, played: Played) -> None:
        """Keep a finished play; it is on disk when this returns. Raises ReportUnwritable."""
        try:
            self._open().keep(played)
        except OSError as error:
            plays = self._appending.plays if self._appending else 0
            raise ReportUnwritable(
                self.path,
                f"{played.record.scenario} was played, but its result cannot be kept in "
                f"{self.path}: {why(error)}; {_counted(plays)} before it kept in "
                f"{self._kept_path}: make room, then `faultloop report {self.path}` makes the "
                "report of those",
            ) from error

    def finish(self) -> Summary:
        """Make the report of all plays kept in the directory, by whichever worker.

        Raises ReportUnwritable; what was kept then stays.
        """
        self._stop_keeping()
        try:
            return _complete(self.path, self._hold)
        finally:
            self.close()

    def close(self) -> None:
        """Let go of the file of kept plays, and of the directory."""
        self._stop_keeping()
        self._hold.release()

    def _stop_keeping(self) -> None:
        if self._appending is not None:
            self._appending.close()
            self._appending = None

    def _open(self) -> kept.Appending:
        if self._appending is None:
            self._appending = kept.Appending(
                self._kept_path, seed=self._seed, planned=self._planned
            )
        return self._appending


def complete(report: Path) -> Summary:
    """Make the report of a directory's kept plays; of a finished one, its pages anew.

    Raises BadReport where there is neither, and ReportUnwritable, also while a run is writing.
    """
    hold = Hold(report)
    try:
        return _complete(report, hold)
    finally:
        hold.release()


def _complete(report: Path, hold: Hold) -> Summary:
    if report.is_dir():  # else `read_summary` has the sentence
        with _completing(report):
            hold.take()
    files = sorted(report.glob(KEPT))
    if not files:
        summary = read_summary(report)
        with _completing(report):
            _write_pages(report, summary)
        return summary
    headers, found = _kept(files)
    seeds = {header.seed for header in headers}
    if len(seeds) > 1:
        raise BadReport(report, f"{report} mixes plays of runs with the seeds {sorted(seeds)}")
    planned = max(header.planned for header in headers)
    try:
        found = forms.with_kept(found)
    except OSError as error:
        raise BadReport(report, f"the plays in {report} cannot be read: {why(error)}") from error
    summary = summarise((one.record for one in found), seed=seeds.pop(), planned=planned)
    with _completing(report):
        if finished := _finished(report, summary):
            summary = finished
            _write_pages(report, summary)
        else:
            _write_all(report, summary, found)
        for file in files:
            file.unlink(missing_ok=True)
    return summary


def _kept(files: Sequence[Path]) -> tuple[list[kept.Header], list[kept.Kept]]:
    """The headers of these files, and all of their plays in the order of their keys.

    A file that a full disk or a kill kept from beginning takes nothing from the others.
    """
    headers: list[kept.Header] = []
    found: list[kept.Kept] = []
    for file in [file for file in files if kept.is_begun(file)] or files:
        try:
            header, plays = kept.index(file)
        except kept.Damaged as error:
            raise BadReport(file, f"{file} is damaged: {error}") from error
        except OSError as error:
            raise BadReport(file, f"{file} cannot be read: {why(error)}") from error
        headers.append(header)
        found += plays
    return headers, sorted(found, key=lambda one: one.record.key)


def _finished(report: Path, summary: Summary) -> Summary | None:
    """The summary on disk, where it has all of these plays and more: then some workers' files are
    gone already, and whoever finished the report was stopped between two of them."""
    try:
        written = read_summary(report)
    except BadReport:
        return None
    plays = {record.key for record in summary.plays}
    return written if plays < {record.key for record in written.plays} else None


def unfinished(report: Path) -> str:
    """What to tell whoever interrupted the making of a report."""
    return f"interrupted while the report in {report} was written; {_left(report, 'it')}"


def _left(report: Path, what: str) -> str:
    """Where the plays of a report are that could not be finished: looked at, never supposed."""
    again = f"`faultloop report {report}` writes {what}"
    if next(report.glob(KEPT), None) is not None:
        return f"all finished plays are kept there: {again}"
    if (report / SUMMARY).is_file() and (report / HISTORIES).is_file():
        return f"its plays are in {HISTORIES}: {again}"
    return "none of its plays are there any more: play them again"


@contextlib.contextmanager
def _completing(report: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ReportUnwritable(
            report,
            f"the report in {report} is not complete: {why(error)}; "
            f"{_left(report, 'the rest once there is room')}",
        ) from error


def _write_all(report: Path, summary: Summary, found: list[kept.Kept]) -> None:
    """What cannot be made from anything else comes first: histories, rows, summary."""
    table: list[Row] = []
    timings: list[Timing] = []
    with (
        replacing(report / HISTORIES) as raw,
        gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=5, mtime=0) as packed,
    ):
        encoder = msgspec.json.Encoder()  # a scenario's keys stay in their order
        for one, told in zip(found, kept.read(found), strict=True):
            played = replace_record(told, record=one.record)
            packed.write(encoder.encode(Chapter.of(played)) + b"\n")
            table += rows(played.record, requests=played.requests, effects=played.effects)
            timings.append(Timing(played.record.key, played.wall_s, played.times_s))
            failures.save(report, played)
    replace(report / PLAYS, plays_parquet(table))
    replace(report / TIMINGS, timings_parquet(timings))
    replace(report / SUMMARY, summary.model_dump_json(by_alias=True, indent=1) + "\n")
    _write_pages(report, summary)


def _write_pages(report: Path, summary: Summary) -> None:
    replace(report / MARKDOWN, render.markdown(summary))
    replace(report / JUNIT, junit.junit(summary))
    replace(report / PAGE, render.html(page.page(summary, read_plays(report, summary))))


def _counted(plays: int) -> str:
    return "the 1 play" if plays == 1 else f"the {plays} plays"
