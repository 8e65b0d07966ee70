"""What a matrix is made of: marks of promises, entries, columns, and what stands beside them.

Values only; `table` counts them, `pages` and `overview` show them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from faultloop.reports.matrix.policy import Policy
from faultloop.reports.matrix.stamp import Stamp
from faultloop.reports.rows import CheckRecord, PlayKey, Summary


class Mark(StrEnum):
    """How a promise came off in a play, worst first."""

    BROKEN = "broken"
    POLICY = "policy"
    UNKNOWN = "unknown"
    HELD = "held"
    ENDED = "ended"
    """The run broke off before it came to this promise."""
    NOT_APPLICABLE = "not_applicable"


SHOWN = (Mark.BROKEN, Mark.POLICY, Mark.UNKNOWN, Mark.ENDED)
"""Marks that a reader is told the grounds of."""
TESTED = (Mark.BROKEN, Mark.POLICY, Mark.UNKNOWN, Mark.HELD)
"""Marks of a promise that was put to the test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A promise that did not simply hold in a scenario, all repeats together."""

    check: str
    scenario: str
    mark: Mark
    sentence: str
    """What was seen in the first of these plays."""
    plays: int
    of: int
    """How many of the plays of this scenario came off so, and how many there were."""
    first: PlayKey
    replay: str
    stderr: str
    policy: Policy | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One promise in one column."""

    counts: Mapping[Mark, int]
    breaches: tuple[Breach, ...] = ()
    held: tuple[str, ...] = ()
    """The scenarios in which it held in all plays."""

    @property
    def mark(self) -> Mark:
        """The worst that there is."""
        return next((mark for mark in Mark if self.counts.get(mark)), Mark.NOT_APPLICABLE)

    @property
    def tested(self) -> int:
        """How many plays put it to the test."""
        return sum(self.counts.get(mark, 0) for mark in TESTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One way of running one subject."""

    stamp: Stamp
    words: str
    """`openai chat streamed`."""
    folder: str
    """Of its cell, relative to the matrix."""
    scenarios: int
    """How many were chosen for it; fewer than the catalogue has, where the run was a part."""
    plays: int
    played: int
    """How many of these are not `not_applicable`."""
    checks: tuple[CheckRecord, ...]
    """One of each promise that was judged here, for its SPEC id."""
    entries: Mapping[str, Entry]
    """By promise."""
    driven: str
    """How it was driven, in the words of its README; empty where it has none."""
    policies: tuple[Policy, ...]
    """All that is on record of its authors' documented policy."""

    def totals(self, checks: Iterable[str]) -> Counter[Mark]:
        """How many of these promises came off how, each by the worst of its plays."""
        nothing = Entry(counts={})
        return Counter(self.entries.get(check, nothing).mark for check in checks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A subject that was not played, and why."""

    subject: str
    version: str
    why: str
    is_to_come: bool = False
    """It would have been played, had the matrix not been stopped."""


class Told(NamedTuple):
    """A scenario, as a reader is told of it."""

    claim: str
    """What it is about, in a sentence."""
    accepted: tuple[str, ...]
    """How it may end, a sentence each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """All of it."""

    checks: tuple[tuple[str, str], ...]
    """Promises with their SPEC id, in the order of the ids."""
    columns: tuple[Column, ...]
    left: tuple[Left, ...] = ()
    told: Mapping[str, Told] = field(default_factory=dict[str, Told])
    """The scenarios by name, as far as they are known."""
    part: str = ""
    """Which part of the catalogue was played, in a few words; empty: all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellReport:
    """What is known of a finished cell."""

    stamp: Stamp
    folder: str
    summary: Summary
    second: Summary | None = None
    """Of the same subject's second driver: the plays whose end was in doubt."""
    driven: str = ""
    """Its README."""
