"""Reading a report directory back, with a sentence for each way in which it can be unreadable.

BadReport        the directory is at fault: no report, an unfinished one, a damaged file
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pydantic

from faultloop.fakes.history import AnyEntry
from faultloop.reports.rows import Played, PlayKey, PlayRecord, Summary, play_name
from faultloop.reports.tables import TIMINGS as TIMINGS_SCHEMA
from faultloop.reports.tables import Timing

SUMMARY = "summary.json"
HISTORIES = "histories.jsonl.gz"
PLAYS = "plays.parquet"
TIMINGS = "timings.parquet"
MARKDOWN = "report.md"
PAGE = "report.html"
JUNIT = "junit.xml"

FILES = (SUMMARY, HISTORIES, PLAYS, TIMINGS, MARKDOWN, PAGE, JUNIT)
"""What a finished report holds, beside its failures."""

KEPT = "plays*.jsonl"
"""What a run writes before its end."""


class BadReport(Exception):
    """A path that was given as a report directory cannot be read as one."""

    def __init__(self, path: Path, sentence: str) -> None:
        super().__init__(sentence)
        self.path = path
        self.sentence = sentence


class Chapter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of histories.jsonl.gz: a play's history and the scenario that staged it."""

    play: str
    """Its `play_name`."""
    requests: int
    effects: int
    scenario: dict[str, Any]
    history: tuple[AnyEntry, ...]

    @classmethod
    def of(cls, played: Played) -> Chapter:
        """The part of a play that is neither verdict nor clock."""
        return cls(
            play=play_name(played.record.key),
            requests=played.requests,
            effects=played.effects,
            scenario=played.scenario,
            history=played.history,
        )


_decode_chapter = msgspec.json.Decoder(Chapter).decode


def read_summary(report: Path) -> Summary:
    """summary.json of a report directory. Raises BadReport."""
    if not report.is_dir():
        state = "is not a directory" if report.exists() else "does not exist"
        raise BadReport(report, f"{report} {state}; a report directory is wanted")
    path = report / SUMMARY
    try:
        return Summary.model_validate_json(path.read_bytes())
    except FileNotFoundError as error:
        if any(report.glob(KEPT)):
            sentence = (
                f"{report} holds the plays of a run that did not finish; "
                f"`faultloop report {report}` makes a report of them"
            )
        else:
            sentence = f"{report} is no report directory: it has no {SUMMARY}"
        raise BadReport(report, sentence) from error
    except OSError as error:
        raise BadReport(path, f"{path} cannot be read: {error.strerror}") from error
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        where = f" at {place}" if place else ""
        raise BadReport(path, f"{path} is no summary of schema 1{where}: {first['msg']}") from error


def read_plays(report: Path, summary: Summary) -> Iterator[Played]:
    """The plays of a finished report, in the summary's order, one in memory at a time.

    Raises BadReport as soon as histories and summary do not belong together.
    """
    path = report / HISTORIES
    timings = _timings(report / TIMINGS)
    try:
        with gzip.open(path, "rb") as lines:
            for record in summary.plays:
                chapter = _decode_chapter(lines.readline())
                if chapter.play != play_name(record.key):
                    raise BadReport(
                        path,
                        f"{path} does not belong to its {SUMMARY}: it has {chapter.play} where "
                        f"the summary has {play_name(record.key)}",
                    )
                yield _played(record, chapter, timings.get(record.key))
    except FileNotFoundError as error:
        raise BadReport(path, f"{report} has a {SUMMARY} but no {HISTORIES}") from error
    except (OSError, EOFError, zlib.error, msgspec.MsgspecError) as error:
        raise BadReport(path, f"{path} is damaged: {error}") from error


def _played(record: PlayRecord, chapter: Chapter, timing: Timing | None) -> Played:
    return Played(
        record=record,
        requests=chapter.requests,
        effects=chapter.effects,
        scenario=chapter.scenario,
        history=chapter.history,
        stderr=record.stderr,
        wall_s=timing.wall_s if timing else 0.0,
        times_s=tuple(timing.times_s) if timing else (),
    )


def _timings(path: Path) -> dict[PlayKey, Timing]:
    """Timings by play; none where the file is missing: a report can do without them."""
    if not path.exists():
        return {}
    try:
        table = pq.read_table(path)
        if table.schema.names != TIMINGS_SCHEMA.names:
            raise pa.ArrowInvalid(f"its columns are {', '.join(table.schema.names) or 'none'}")
        found: dict[PlayKey, Timing] = {}
        for row in table.cast(TIMINGS_SCHEMA).to_pylist():
            wall_s, times_s = row.pop("wall_s"), row.pop("times_s")
            key = PlayKey(**row)
            found[key] = Timing(key, wall_s or 0.0, times_s or ())
    except (OSError, ValueError, pa.ArrowException) as error:
        raise BadReport(
            path,
            f"{path} is damaged: {error}; the report can do without it: delete it, then try again",
        ) from error
    return found
