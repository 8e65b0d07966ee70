"""The second driver: whether what one driver said of an end is also said by another.

A driver of one style can hide what a loop makes known elsewhere. So what rests on its account alone
(`reports.matrix.table`) is played again through the subject's `second_command`, in the same column,
with the same seed and repeat.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from faultloop.bench.matrix.cell import SECOND, Cell, cell_of, key_of
from faultloop.reports.rows import PlayKey, Summary
from faultloop.scenarios.subjects.process import ProcessSubject
from faultloop.scenarios.verdict import Verdict


def in_doubt(summary: Summary) -> frozenset[PlayKey]:
    """The plays in which a broken promise rests on the account of a driver."""
    return frozenset(
        play.key
        for play in summary.plays
        if any(one.verdict is Verdict.BROKEN and one.by_account for one in play.counted)
    )


def second_cell(
    cell: Cell, doubted: frozenset[PlayKey], out: Path, *, faultloop: str
) -> Cell | None:
    """The plays in doubt through the second driver; None where there are none, or it has none."""
    subject = cell.subject
    second = subject.second() if isinstance(subject, ProcessSubject) else None
    if second is None or not doubted:
        return None
    lots = [
        replace(lot, subject=second, pieces=kept)
        for lot in cell.lots
        if (kept := tuple(p for p in lot.pieces if key_of(lot, p) in doubted))
    ]
    return cell_of(lots, out, faultloop=faultloop, suffix=SECOND)
