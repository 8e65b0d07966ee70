"""The matrix as a value: for each promise and each subject's column, how it came off, and why.

Counting is per play and promise. Two things keep it fair. What a subject's authors document as its
policy is counted apart. What a play tells only by the subject's own account of its end counts as
broken where two drivers of different style say so, of an error the same one; where they differ, or
there is only one, a driver may be at fault, and it counts as `unknown` with that sentence. And
whoever dies early is asked less: a promise that a run ended too soon for is told apart from one
that nothing was about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from faultloop.reports.first_end import NO_ACCOUNT
from faultloop.reports.headline import FAMILIES
from faultloop.reports.headline import column as column_words
from faultloop.reports.matrix.early import Asked, asked_by, how_it_ended
from faultloop.reports.matrix.policy import Policy, policies_of, policy_of
from faultloop.reports.matrix.values import (
    SHOWN,
    Breach,
    CellReport,
    Column,
    Entry,
    Left,
    Mark,
    Matrix,
)
from faultloop.reports.rows import CheckRecord, PlayRecord, Summary
from faultloop.scenarios.verdict import Verdict


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
        return (
            "only its driver's account of how the run ended says so, and there is no second driver"
            " to ask; its own report calls it broken"
        )
    other = next((one for one in again.counted if one.check == check.check), None)
    seen = other.proof.sentence if other is not None else again.reason
    if again.failed == NO_ACCOUNT:
        return f"its second driver gave no account to compare (it: {seen})"
    if other is not None and other.verdict is Verdict.BROKEN and _ended_alike(play, again):
        return ""
    return f"its two drivers differ (the second: {seen})"


def _ended_alike(play: PlayRecord, again: PlayRecord) -> bool:
    """Whether two drivers tell of one end: an error of the one's own is not that of the other."""
    if again.end_reason != play.end_reason:
        return False
    return None in (play.failed, again.failed) or play.failed == again.failed


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
