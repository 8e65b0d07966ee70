"""Plays of a run that differ in their form only, compared once both are there.

Lots are played apart, by different workers even, so what is said of two of their plays can only be
said when the run is over: here, from what was kept. The conclusion is one more check of the
streamed play (`scenarios.both_forms`), with a command that plays both. A run of one form alone says
nothing of it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace

from faultloop.reports.kept import Kept, read
from faultloop.reports.rows import CheckRecord, Played, PlayKey, PlayRecord, Proof
from faultloop.scenarios.both_forms import NAME, compare, promise
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.verdict import Finding, Verdict, worst

_FAILED = (Verdict.BROKEN, Verdict.UNKNOWN)


def whole_of(key: PlayKey) -> PlayKey:
    """The play that says whole what this one streams."""
    return key._replace(streaming=False)


def with_kept(found: Sequence[Kept]) -> list[Kept]:
    """The same plays, those that stream with what a comparison shows."""
    whole = {one.record.key: one for one in found if not one.record.streaming}
    compared: list[Kept] = []
    for one in found:
        other = whole.get(whole_of(one.record.key)) if one.record.streaming else None
        if other is None:
            compared.append(one)
        else:
            streamed, partner = read([one, other])
            compared.append(one._replace(record=record(streamed, partner)))
    return compared


def with_played(plays: Iterable[Played]) -> list[Played]:
    """The same for plays in memory."""
    found = list(plays)
    whole = {one.record.key: one for one in found if not one.record.streaming}
    return [
        replace(one, record=record(one, other))
        if one.record.streaming and (other := whole.get(whole_of(one.record.key)))
        else one
        for one in found
    ]


def record(streamed: Played, whole: Played) -> PlayRecord:
    """What is told of a streamed play together with its whole one."""
    before = streamed.record
    if before.verdict is Verdict.NOT_APPLICABLE or any(one.check == NAME for one in before.checks):
        return before
    finding = _finding(streamed, whole)
    check = CheckRecord(
        check=finding.check,
        claim=finding.claim,
        verdict=finding.verdict,
        proof=Proof(positions=finding.positions, sentence=finding.sentence),
    )
    verdict = worst([before.verdict, finding.verdict])
    changed = {"checks": (*before.checks, check), "verdict": verdict}
    if verdict is not before.verdict:
        changed |= {"reason": f"{NAME}: {finding.sentence}"}
    if finding.verdict in _FAILED and before.verdict not in _FAILED:
        changed |= {"replay": _in_both_forms(before.replay)}
    return before.model_copy(update=changed)


def differs(told: PlayRecord) -> bool:
    """Whether a play failed, or cannot be told, by the comparison with its other form."""
    return any(check.check == NAME and check.verdict in _FAILED for check in told.counted)


def _finding(streamed: Played, whole: Played) -> Finding:
    if whole.record.verdict is Verdict.NOT_APPLICABLE:
        return promise.not_applicable(f"there is no whole play: {whole.record.reason}")
    for one, form in ((streamed, "streamed"), (whole, "whole")):
        if one.record.verdict is Verdict.UNKNOWN:
            return promise.unknown(f"the {form} play proves nothing: {one.record.reason}")
    scenario = Scenario.model_validate(streamed.scenario)
    try:
        return compare(scenario, streamed.history, whole.history)
    except Exception as error:  # whatever a comparison raises is the bench's fault
        what = f"{type(error).__name__}: {error}"[:300]
        return promise.unknown(f"the comparison itself failed ({what}); please report this")


def _in_both_forms(command: str) -> str:
    return shlex.join(word for word in shlex.split(command) if word != "--stream")
