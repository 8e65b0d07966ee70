"""Verdicts: what a check concludes, and how several conclusions become one.

Four values, worst wins: broken > unknown > held > not_applicable. A check that crashed, an empty
history or a fault that never fired is `unknown`; nothing but evidence makes `held`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What may be said of a promise after a play."""

    BROKEN = "broken"
    """The promise was seen to be broken; the proof names where."""
    UNKNOWN = "unknown"
    """The evidence does not tell."""
    HELD = "held"
    """The promise was put to the test and kept."""
    NOT_APPLICABLE = "not_applicable"
    """The promise was not put to the test here; never shown as green."""


_WORST_FIRST = (Verdict.BROKEN, Verdict.UNKNOWN, Verdict.HELD, Verdict.NOT_APPLICABLE)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict of a whole of which these are the parts; of nothing it is `unknown`."""
    found = set(verdicts)
    return next((verdict for verdict in _WORST_FIRST if verdict in found), Verdict.UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One check's conclusion about one play."""

    check: str
    claim: str
    """The SPEC id judged."""
    verdict: Verdict
    sentence: str
    """What was seen, for a person; names the values."""
    positions: tuple[int, ...] = ()
    """Positions in the history that prove it; never empty for `broken` or `held` unless the
    proof is an absence, which the sentence then says."""
