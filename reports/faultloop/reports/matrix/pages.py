"""The whole matrix in one sentence and in a few facts, and matrix.md. Text of subjects enters as
text only.

matrix.html is made of the same words in `overview`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from faultloop.reports.headline import plays
from faultloop.reports.matrix.values import SHOWN, TESTED, Breach, Column, Entry, Left, Mark, Matrix
from faultloop.reports.render import cell, markdown_of

GLYPHS = {
    Mark.BROKEN: "✗",
    Mark.POLICY: "§",
    Mark.UNKNOWN: "?",
    Mark.HELD: "✓",
    Mark.ENDED: "⊘",
    Mark.NOT_APPLICABLE: "–",
}
WORDS = {
    Mark.BROKEN: "broken",
    Mark.POLICY: "documented policy",
    Mark.UNKNOWN: "cannot tell",
    Mark.HELD: "held",
    Mark.ENDED: "ended before it could be asked",
    Mark.NOT_APPLICABLE: "not put to the test",
}
GROUNDS = (Mark.BROKEN, Mark.POLICY, Mark.UNKNOWN)
"""Marks that matrix.md tells the grounds of."""
WIDE = 6
"""Subjects side by side in one table of matrix.md."""
NO_RANKING = (
    "Fewer ✗ are not by themselves a better loop. A promise is put to the test only in plays that"
    " come that far: a loop that ends early is asked less, and what it was not asked is marked ⊘,"
    " not held."
)
"""What whoever compares columns has to know first."""


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
        """What broke, then what is policy and what cannot be told, by promise, the most scenarios
        first."""
        found: dict[tuple[Mark, str], list[Breach]] = {}
        for column in self.columns:
            for check, entry in column.entries.items():
                for one in entry.breaches:
                    if one.mark in GROUNDS:
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
        return not self.breaks and any(entry.counts.get(Mark.UNKNOWN) for entry in entries)


def subjects(matrix: Matrix) -> list[Subject]:
    """The subjects of a matrix, in its order."""
    by_name: dict[tuple[str, str], list[Column]] = {}
    for column in matrix.columns:
        by_name.setdefault((column.stamp.name, column.stamp.version), []).append(column)
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
    doubtful = sum(one.is_in_doubt for one in found)
    if len(found) == 1:
        how = "breaks promises" if breaking else "is in doubt" if doubtful else "breaks no promise"
        return f"{_scope(matrix)}{found[0].name} {found[0].version} {how} ({played})"
    said = {0: "none breaks", 1: "1 breaks", len(found): "all of these subjects break"}
    doubt = f", {doubtful} {'is' if doubtful == 1 else 'are'} in doubt" if doubtful else ""
    return (
        f"{_scope(matrix)}{len(found)} subjects in {played}:"
        f" {said.get(breaking, f'{breaking} subjects break')} promises{doubt}"
    )


def _scope(matrix: Matrix) -> str:
    """That this is not the whole, where it is not: what is read under it is a part."""
    to_come = sum(one.is_to_come for one in matrix.left)
    done = len(subjects(matrix))
    parts = [matrix.part] if matrix.part else []
    parts += [f"not finished, {done} of {done + to_come} subjects so far"] if to_come else []
    said = "; ".join(parts)
    return f"{said[:1].upper()}{said[1:]}. " if said else ""


def why_left(left: Left) -> str:
    """Who was not played and why, with the name once."""
    name = f"{left.subject} {left.version}"
    return left.why if left.why.startswith(f"{name} ") else f"{name}: {left.why}"


def markdown(matrix: Matrix) -> str:
    """matrix.md."""
    found = subjects(matrix)
    return markdown_of(
        "matrix.md",
        headline=headline(matrix),
        facts=facts(matrix),
        no_ranking=NO_RANKING,
        subjects=found,
        all_checks=[name for name, _ in matrix.checks],
        tables=[found[start : start + WIDE] for start in range(0, len(found), WIDE)],
        checks=matrix.checks,
        left=[why_left(one) for one in matrix.left],
        glyphs=GLYPHS,
        words=WORDS,
        marks=list(Mark),
        mark=_mark,
        cell=cell,
        times=_times,
        claims=dict(matrix.checks),
    )


def facts(matrix: Matrix) -> dict[str, str]:
    """What all columns have in common, or how far they differ."""
    stamps = [column.stamp for column in matrix.columns]
    return {
        "faultloop (digest of its code)": _joined(stamp.faultloop for stamp in stamps),
        "played": _joined(stamp.date for stamp in stamps),
        "scenarios": _joined(str(column.scenarios) for column in matrix.columns),
        "seed": _joined(str(stamp.seed) for stamp in stamps),
        "plays of each scenario that kills": _joined(str(s.kill_repeats) for s in stamps),
        "machine": _joined(stamp.machine for stamp in stamps),
    }


def _joined(values: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(values))


def _mark(check: str, columns: Sequence[Column]) -> str:
    """`✗ 3 § 2 ? 1 / 40`, or `✓ 40`: of so many plays that put the promise to the test; and `⊘ 2`
    that ended before that."""
    counts: Counter[Mark] = Counter()
    for column in columns:
        counts.update(column.entries.get(check, Entry(counts={})).counts)
    tested = sum(counts[mark] for mark in TESTED)
    bad = [f"{GLYPHS[mark]} {counts[mark]}" for mark in TESTED if counts[mark] and mark in SHOWN]
    told = f"{' '.join(bad)} / {tested}" if bad else f"{GLYPHS[Mark.HELD]} {tested}"
    ended = f"{GLYPHS[Mark.ENDED]} {counts[Mark.ENDED]}" if counts[Mark.ENDED] else ""
    return " ".join(filter(None, (told if tested else "", ended))) or GLYPHS[Mark.NOT_APPLICABLE]


def _times(breaches: Sequence[Breach]) -> str:
    scenarios = len({one.scenario for one in breaches})
    number = plays(sum(one.plays for one in breaches))
    return f"{number} of {scenarios} scenario{'s' if scenarios > 1 else ''}"
