"""The matrix as a value: for each promise and each subject's column, how it came off, and why.

Counting is per play and promise. Two things keep it fair. What a subject's authors document as its
policy is counted apart. What a play tells only by the subject's own account of its end counts as
broken where two drivers of different style say so; where they differ, or there is only one, a
driver may be at fault, and it counts as `unknown` with that sentence. And whoever dies early is
asked less: a promise that a run ended too soon for is told apart from one that nothing was about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from faultloop.reports.headline import FAMILIES
from faultloop.reports.headline import column as column_words
from faultloop.reports.matrix.early import Asked, asked_by, how_it_ended
from faultloop.reports.matrix.policy import Policy, policies_of, policy_of
from faultloop.reports.matrix.stamp import Stamp
from faultloop.reports.rows import CheckRecord, PlayKey, PlayRecord, Summary
from faultloop.scenarios.verdict import Verdict


class Mark(StrEnum):
    """How a promise came off in a play, worst first."""

    BROKEN = "broken"
    POLICY = "policy"
    UNKNOWN = "unknown"
    HELD = "held"
    ENDED = "ended"
    """The run ended in a way that nothing accepts before it came to this promise."""
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


class _Found(NamedTuple):
    """One promise in one play."""

    mark: Mark
    sentence: str
    record: PlayRecord
    policy: Policy | None


def matrix(reports: Sequence[CellReport], policies: Sequence[Policy]) -> Matrix:
    """The matrix of these cells, in their order."""
    asked = asked_by(play for report in reports for play in report.summary.plays)
    columns: list[Column] = []
    left: list[Left] = []
    for report in reports:
        if why := _why_left(report.summary):
            stamp = report.stamp
            left.append(Left(subject=stamp.name, version=stamp.version, why=why))
        else:
            columns += _columns(report, policies, asked)
    claims = {check.check: check.claim for column in columns for check in column.checks}
    return Matrix(
        checks=tuple(sorted(claims.items(), key=lambda one: _by_claim(one[1], one[0]))),
        columns=tuple(columns),
        left=tuple(left),
    )


def _why_left(summary: Summary) -> str:
    """Why nothing of a subject could be played; empty where something was."""
    if any(play.verdict is not Verdict.NOT_APPLICABLE for play in summary.plays):
        return ""
    reasons = Counter(play.reason for play in summary.plays)
    return reasons.most_common(1)[0][0] if reasons else "nothing was chosen for it"


def _by_claim(claim: str, check: str) -> tuple[int, int, str]:
    """`P2` before `P10`, families in the order of a report."""
    letters = list(FAMILIES)
    letter, number = claim[:1], claim[1:]
    place = letters.index(letter) if letter in letters else len(letters)
    return place, int(number) if number.isdigit() else 0, check


def _columns(report: CellReport, policies: Sequence[Policy], asked: Asked) -> Iterator[Column]:
    again = {play.key: play for play in report.second.plays} if report.second else {}
    ways: dict[str, list[PlayRecord]] = {}
    for play in report.summary.plays:
        ways.setdefault(column_words(play), []).append(play)
    for words, plays in ways.items():
        found: dict[str, list[_Found]] = {}
        claims: dict[str, CheckRecord] = {}
        for play in plays:
            for check in play.counted:
                claims.setdefault(check.check, check)
                one = _found(play, check, again.get(play.key), policies)
                if one.mark is Mark.NOT_APPLICABLE and (how := how_it_ended(play, check, asked)):
                    one = one._replace(mark=Mark.ENDED, sentence=how)
                found.setdefault(check.check, []).append(one)
        yield Column(
            stamp=report.stamp,
            words=words,
            folder=report.folder,
            scenarios=len({play.scenario for play in plays}),
            plays=len(plays),
            played=sum(play.verdict is not Verdict.NOT_APPLICABLE for play in plays),
            checks=tuple(claims.values()),
            entries={check: _entry(check, marks) for check, marks in found.items()},
            driven=report.driven,
            policies=policies_of(policies, report.stamp.subject),
        )


def _found(
    play: PlayRecord, check: CheckRecord, again: PlayRecord | None, policies: Sequence[Policy]
) -> _Found:
    mark, sentence = Mark(check.verdict), check.proof.sentence
    if mark is not Mark.BROKEN:
        return _Found(mark, sentence, play, None)
    if policy := policy_of(policies, play, check.check):
        return _Found(Mark.POLICY, sentence, play, policy)
    if doubt := _doubt(play, check, again):
        return _Found(Mark.UNKNOWN, f"{doubt}: {sentence}", play, None)
    return _Found(mark, sentence, play, None)


def _doubt(play: PlayRecord, check: CheckRecord, again: PlayRecord | None) -> str:
    """Why a broken promise may be the driver's fault; empty where it is the subject's."""
    if not check.by_account:
        return ""
    if again is None:
        return "one driver says so, and there is no second one to ask"
    other = next((one for one in again.counted if one.check == check.check), None)
    is_same = other is not None and other.verdict is Verdict.BROKEN
    if is_same and again.end_reason == play.end_reason:  # a driver that crashes agrees with nobody
        return ""
    seen = other.proof.sentence if other is not None else again.reason
    return f"its two drivers differ (the second: {seen})"


def _entry(check: str, found: Sequence[_Found]) -> Entry:
    scenarios: dict[str, list[_Found]] = {}
    for one in found:
        scenarios.setdefault(one.record.scenario, []).append(one)
    breaches = [
        _breach(check, mark, [one for one in plays if one.mark is mark], of=len(plays))
        for plays in scenarios.values()
        for mark in SHOWN
        if any(one.mark is mark for one in plays)
    ]
    order = list(Mark)
    return Entry(
        counts=Counter(one.mark for one in found),
        breaches=tuple(sorted(breaches, key=lambda one: (order.index(one.mark), one.scenario))),
        held=tuple(
            sorted(
                name
                for name, plays in scenarios.items()
                if all(one.mark is Mark.HELD for one in plays)
            )
        ),
    )


def _breach(check: str, mark: Mark, found: Sequence[_Found], *, of: int) -> Breach:
    first = found[0]
    return Breach(
        check=check,
        scenario=first.record.scenario,
        mark=mark,
        sentence=first.sentence,
        plays=len(found),
        of=of,
        first=first.record.key,
        replay=first.record.replay,
        stderr=first.record.stderr,
        policy=first.policy,
    )
