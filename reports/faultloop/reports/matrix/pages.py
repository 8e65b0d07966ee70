"""matrix.md and matrix.html of a matrix value. Text of subjects enters both as text only.

The page links to the timelines in the cells beside it; `alone` says that it will lie elsewhere, as
in a repository, and then it holds what is to be known by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from faultloop.reports.advice import advice
from faultloop.reports.headline import plays
from faultloop.reports.matrix.table import SHOWN, Breach, Column, Entry, Mark, Matrix
from faultloop.reports.page import for_script
from faultloop.reports.reading import PAGE
from faultloop.reports.render import cell, html_of, markdown_of
from faultloop.reports.rows import play_name

GLYPHS = {
    Mark.BROKEN: "✗",
    Mark.POLICY: "§",
    Mark.UNKNOWN: "?",
    Mark.HELD: "✓",
    Mark.NOT_APPLICABLE: "–",
}
WORDS = {
    Mark.BROKEN: "broken",
    Mark.POLICY: "documented policy",
    Mark.UNKNOWN: "cannot tell",
    Mark.HELD: "held",
    Mark.NOT_APPLICABLE: "not put to the test",
}
WIDE = 6
"""Subjects side by side in one table of matrix.md."""
SCRIPTS = ("overview.js",)
STYLES = ("page.css", "overview.css")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A subject with all its columns, as matrix.md shows it."""

    name: str
    version: str
    columns: tuple[Column, ...]

    @property
    def ways(self) -> str:
        """How it was run, in words."""
        return ", ".join(column.words for column in self.columns)

    @property
    def breaks(self) -> bool:
        """Whether it breaks a promise; what its authors document is none of that."""
        return any(
            entry.counts.get(Mark.BROKEN) for c in self.columns for entry in c.entries.values()
        )

    @property
    def told(self) -> list[tuple[str, list[Breach]]]:
        """What broke and then what is policy, by promise, the most scenarios first."""
        found: dict[tuple[Mark, str], list[Breach]] = {}
        for column in self.columns:
            for check, entry in column.entries.items():
                for one in entry.breaches:
                    if one.mark in (Mark.BROKEN, Mark.POLICY):
                        found.setdefault((one.mark, check), []).append(one)
        order = list(Mark)
        ranked = sorted(
            found.items(), key=lambda one: (order.index(one[0][0]), -len(one[1]), one[0][1])
        )
        return [(check, breaches) for (_, check), breaches in ranked]

    @property
    def is_in_doubt(self) -> bool:
        """Nothing of it is sure to have broken, and of something that cannot be told."""
        entries = (entry for column in self.columns for entry in column.entries.values())
        return not self.breaks and any(entry.mark is Mark.UNKNOWN for entry in entries)


def subjects(matrix: Matrix) -> list[Subject]:
    """The subjects of a matrix, in its order."""
    by_name: dict[tuple[str, str], list[Column]] = {}
    for column in matrix.columns:
        by_name.setdefault((column.stamp.subject, column.stamp.version), []).append(column)
    return [
        Subject(name=name, version=version, columns=tuple(columns))
        for (name, version), columns in by_name.items()
    ]


def headline(matrix: Matrix) -> str:
    """The whole in one sentence."""
    found = subjects(matrix)
    if not found:
        return "No subject was played"
    played = plays(sum(column.played for column in matrix.columns))
    breaking = sum(one.breaks for one in found)
    number = f"{len(found)} subject{'s' if len(found) > 1 else ''}"
    said = "all of them" if breaking == len(found) > 1 else str(breaking) if breaking else "none"
    doubtful = sum(one.is_in_doubt for one in found)
    doubt = f", {doubtful} {'is' if doubtful == 1 else 'are'} in doubt" if doubtful else ""
    return f"{number} in {played}: {said} {'breaks' if breaking == 1 else 'break'} promises{doubt}"


def markdown(matrix: Matrix) -> str:
    """matrix.md."""
    found = subjects(matrix)
    return markdown_of(
        "matrix.md",
        headline=headline(matrix),
        facts=_facts(matrix),
        subjects=found,
        tables=[found[start : start + WIDE] for start in range(0, len(found), WIDE)],
        checks=matrix.checks,
        left=matrix.left,
        glyphs=GLYPHS,
        words=WORDS,
        marks=list(Mark),
        mark=_mark,
        cell=cell,
        times=_times,
        claims=dict(matrix.checks),
    )


def _facts(matrix: Matrix) -> dict[str, str]:
    """What all columns have in common, or how far they differ."""
    stamps = [column.stamp for column in matrix.columns]
    return {
        "faultloop": _joined(stamp.faultloop for stamp in stamps),
        "played": _joined(stamp.date for stamp in stamps),
        "scenarios": _joined(str(column.scenarios) for column in matrix.columns),
        "seed": _joined(str(stamp.seed) for stamp in stamps),
        "plays of a scenario that kills": _joined(str(s.kill_repeats) for s in stamps),
        "machine": _joined(stamp.machine for stamp in stamps),
    }


def _joined(values: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(values))


def _mark(check: str, columns: Sequence[Column]) -> str:
    """`✗ 3 § 2 ? 1 / 40`, or `✓ 40`: of so many plays that put the promise to the test."""
    counts: Counter[Mark] = Counter()
    for column in columns:
        counts.update(column.entries.get(check, Entry(counts={})).counts)
    tested = sum(number for mark, number in counts.items() if mark is not Mark.NOT_APPLICABLE)
    if not tested:
        return GLYPHS[Mark.NOT_APPLICABLE]
    bad = [f"{GLYPHS[mark]} {counts[mark]}" for mark in Mark if counts[mark] and mark in SHOWN]
    return f"{' '.join(bad)} / {tested}" if bad else f"{GLYPHS[Mark.HELD]} {tested}"


def _times(breaches: Sequence[Breach]) -> str:
    scenarios = len({one.scenario for one in breaches})
    number = plays(sum(one.plays for one in breaches))
    return f"{number} of {scenarios} scenario{'s' if scenarios > 1 else ''}"


def html(matrix: Matrix, *, alone: bool = False) -> str:
    """matrix.html; `alone`: without links to the cells, which will not lie beside it."""
    return html_of(
        "matrix.html",
        title=headline(matrix),
        styles=STYLES,
        scripts=SCRIPTS,
        data_json=for_script(
            {
                "facts": _facts(matrix),
                "checks": [
                    {"name": name, "claim": claim, **advice(name)._asdict()}
                    for name, claim in matrix.checks
                ],
                "columns": [_column(column, alone=alone) for column in matrix.columns],
                "left": [
                    {"subject": one.subject, "version": one.version, "why": one.why}
                    for one in matrix.left
                ],
            }
        ),
    )


def _column(column: Column, *, alone: bool) -> dict[str, Any]:
    stamp = column.stamp
    return {
        "subject": stamp.subject,
        "version": stamp.version,
        "about": stamp.about,
        "date": stamp.date,
        "wall_s": round(stamp.wall_s),
        "words": column.words,
        "plays": column.plays,
        "played": column.played,
        "entries": {
            check: {
                "mark": entry.mark,
                "counts": entry.counts,
                "breaches": [
                    _breach(one, "" if alone else column.folder) for one in entry.breaches
                ],
            }
            for check, entry in column.entries.items()
        },
    }


def _breach(breach: Breach, folder: str) -> dict[str, Any]:
    return {
        "scenario": breach.scenario,
        "mark": breach.mark,
        "sentence": breach.sentence,
        "plays": breach.plays,
        "of": breach.of,
        "replay": breach.replay,
        "stderr": breach.stderr,
        "timeline": f"{folder}/{PAGE}#{play_name(breach.first)}" if folder else "",
        "policy": breach.policy.says if breach.policy else "",
        "source": breach.policy.source if breach.policy else "",
    }
