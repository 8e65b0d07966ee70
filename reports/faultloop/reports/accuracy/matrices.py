"""Confusion matrices side by side: expected down, chosen across, the same rows in each.

What was chosen rightly stands in a column of its own, so that only rows and columns in which
somebody went wrong are left to look at. Where these are still many, the rarest are taken together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from faultloop.reports.accuracy.conclusion import Confusion

LABELS_MAX = 20
"""Rows, and columns, that are shown by name."""
OTHERS = "(others)"


class Cell(NamedTuple):
    """So many askings; how dark, from 0 to 4."""

    askings: int
    shade: int


class Row(NamedTuple):
    """What was chosen where one thing was expected."""

    expected: str
    right: int
    cells: tuple[Cell, ...]


class Matrix(NamedTuple):
    """One wording's."""

    wording: str
    rows: tuple[Row, ...]
    right: int
    wrong: int


class Matrices(NamedTuple):
    """All wordings', over the same rows and columns."""

    columns: tuple[str, ...]
    matrices: tuple[Matrix, ...]
    folded: int
    """Expected labels in which nobody went wrong; they are in no row."""


class Swap(NamedTuple):
    """One confusion, under every wording."""

    expected: str
    chosen: str
    counts: tuple[int, ...]
    """In the order of the wordings."""

    @property
    def moved(self) -> int:
        """By how much the last wordings differ from the base, at most."""
        return max(abs(count - self.counts[0]) for count in self.counts[1:])


def matrices(confusions: Sequence[Confusion], wordings: Sequence[str]) -> Matrices:
    """The matrices of these wordings, in this order."""
    wrong = [one for one in confusions if one.chosen != one.expected]
    rows = _frequent((one.expected, one.count) for one in wrong)
    columns = _frequent((one.chosen, one.count) for one in wrong)
    wrong_rows = {one.expected for one in wrong}
    counts: Counter[tuple[str, str, str]] = Counter()
    for one in confusions:
        if one.expected not in wrong_rows:
            continue
        chosen = one.chosen if one.chosen in columns else OTHERS
        expected = one.expected if one.expected in rows else OTHERS
        column = "" if one.chosen == one.expected else chosen
        counts[one.wording, expected, column] += one.count
    if wrong_rows - set(rows):
        rows = (*rows, OTHERS)
    if {one.chosen for one in wrong} - set(columns):
        columns = (*columns, OTHERS)
    most = max((count for (_, _, column), count in counts.items() if column), default=1)
    everything = {one.expected for one in confusions}
    return Matrices(
        columns=columns,
        matrices=tuple(
            Matrix(
                wording=wording,
                rows=tuple(
                    Row(
                        expected,
                        counts[wording, expected, ""],
                        tuple(_cell(counts[wording, expected, column], most) for column in columns),
                    )
                    for expected in rows
                ),
                right=_sum(confusions, wording, right=True),
                wrong=_sum(confusions, wording, right=False),
            )
            for wording in wordings
        ),
        folded=len(everything - wrong_rows),
    )


def swaps(confusions: Iterable[Confusion], wordings: Sequence[str]) -> list[Swap]:
    """Every confusion, those first in which the wordings differ most."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for one in confusions:
        if one.chosen != one.expected:
            counts.setdefault((one.expected, one.chosen), Counter())[one.wording] += one.count
    found = [
        Swap(expected, chosen, tuple(by[wording] for wording in wordings))
        for (expected, chosen), by in counts.items()
    ]
    return sorted(found, key=lambda one: (-one.moved, -max(one.counts), one.expected, one.chosen))


def _frequent(labels: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """The most frequent labels, by name; what stands in brackets comes last."""
    counts: Counter[str] = Counter()
    for label, count in labels:
        counts[label] += count
    chosen = sorted(counts, key=lambda label: (-counts[label], label))[:LABELS_MAX]
    return tuple(sorted(chosen, key=lambda label: (label.startswith("("), label)))


def _cell(count: int, most: int) -> Cell:
    return Cell(count, -(-4 * count // most))


def _sum(confusions: Iterable[Confusion], wording: str, *, right: bool) -> int:
    return sum(
        one.count
        for one in confusions
        if one.wording == wording and (one.chosen == one.expected) is right
    )
