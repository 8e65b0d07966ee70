"""The judge: runs every check over a play and says what the whole play shows.

Checks are allowed to fail, plays are not: a check that raises concludes `unknown`, with its error
as the sentence, and the others go on. Beside the checks four things make a play `unknown`, because
they mean that it proved less than its scenario says: the bench itself failed, nothing was observed,
a fault or an event never happened, or a check that the scenario demands had nothing to judge. A
check that can be judged in no play of the subject is no doubt of this one.
Worst wins, so a doubt never hides a promise that was seen to be broken; only where the bench itself
failed is nothing concluded, for then the evidence may be the bench's own doing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from faultloop.fakes.history import Acted, FaultFired, Refused, Replied, Requested
from faultloop.scenarios.checks import CHECKS, Check
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise, Verdict, worst

ERROR_CHARS_MAX = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What a play shows."""

    verdict: Verdict
    reason: str
    """One sentence: why the verdict is what it is."""
    findings: tuple[Finding, ...]
    """One for each check, in the order of the table of checks."""


def judge(
    evidence: Evidence,
    *,
    unfired_faults: Sequence[int] | None = None,
    idle_triggers: Sequence[int] | None = None,
    not_applicable: str = "",
    crash: str = "",
    checks: Mapping[str, Check] = CHECKS,
) -> Judgement:
    """Judge one play.

    `unfired_faults` and `idle_triggers` are indexes into the scenario's faults and events; None
    reads them from the history. `not_applicable` is why the subject could not be played, in its own
    words; `crash` how the bench failed while it played.
    """
    not_applicable = not_applicable or declined(evidence)
    if not_applicable and not crash:
        return _without_evidence(evidence, Verdict.NOT_APPLICABLE, not_applicable, checks)
    if not evidence.history:
        reason = _crashed(crash) if crash else "nothing was observed: the history is empty"
        return _without_evidence(evidence, Verdict.UNKNOWN, reason, checks)
    findings = tuple(_run(check, evidence) for check in checks.values())
    if unfired_faults is None:
        unfired_faults = unfired(evidence)
    if idle_triggers is None:
        idle_triggers = idle(evidence)
    doubts = [
        *([_crashed(crash)] if crash else []),
        *(_unfired(evidence, index) for index in unfired_faults),
        *(_idle(evidence, index) for index in idle_triggers),
        *_untested(evidence, findings),
    ]
    found = [*(finding.verdict for finding in findings), *(Verdict.UNKNOWN for _ in doubts)]
    verdict = Verdict.UNKNOWN if crash else worst(found)
    return Judgement(
        verdict=verdict, reason=_reason(evidence, verdict, findings, doubts), findings=findings
    )


def declined(evidence: Evidence) -> str:
    """Why the subject itself says that it cannot play this; only before its first request."""
    if evidence.views.kinds.of(Requested):
        return ""
    accounts = (start.ended.account for start in evidence.views.starts if start.ended)
    return next((said for account in accounts if (said := account.not_applicable)), "")


def unfired(evidence: Evidence) -> tuple[int, ...]:
    """Indexes of the scenario's faults that the history does not show."""
    fired = {entry.fault for entry in evidence.views.kinds.of(FaultFired)}
    return tuple(index for index in range(len(evidence.scenario.faults)) if index not in fired)


def idle(evidence: Evidence) -> tuple[int, ...]:
    """Indexes of the scenario's events that the history does not show."""
    acted = {entry.trigger for entry in evidence.views.kinds.of(Acted)}
    return tuple(index for index in range(len(evidence.scenario.events)) if index not in acted)


def _run(check: Check, evidence: Evidence) -> Finding:
    try:
        return check.judge(evidence)
    except Exception as error:  # whatever a check raises is the bench's fault, not the subject's
        what = f"{type(error).__name__}: {error}"[:ERROR_CHARS_MAX]
        promise = Promise(name=check.NAME, claim=check.CLAIM)
        return promise.unknown(f"the check itself failed ({what}); please report this")


def _without_evidence(
    evidence: Evidence, verdict: Verdict, reason: str, checks: Mapping[str, Check]
) -> Judgement:
    demanded = [checks[name] for name in evidence.scenario.checks if name in checks]
    findings = tuple(
        Finding(check=check.NAME, claim=check.CLAIM, verdict=verdict, sentence=reason)
        for check in demanded
    )
    return Judgement(verdict=verdict, reason=reason, findings=findings)


def _crashed(crash: str) -> str:
    last_line = crash.strip().splitlines()[-1][:ERROR_CHARS_MAX]
    return f"the bench itself failed: {last_line}"


def _unfired(evidence: Evidence, index: int) -> str:
    fault = evidence.scenario.faults[index]
    return f"fault {index + 1} ({fault.kind} at {fault.at}) never fired"


def _idle(evidence: Evidence, index: int) -> str:
    trigger = evidence.scenario.events[index]
    return f"event {index + 1} ({trigger.do} at {trigger.at}) never happened"


def _untested(evidence: Evidence, findings: Sequence[Finding]) -> Iterator[str]:
    by_name = {finding.check: finding for finding in findings}
    for name in evidence.scenario.checks:
        finding = by_name.get(name)
        if finding is None:
            yield f"there is no check {name}"
        elif finding.verdict is Verdict.NOT_APPLICABLE and not finding.subject_cannot:
            yield f"{name} was not put to the test: {finding.sentence}"


def _reason(
    evidence: Evidence, verdict: Verdict, findings: Sequence[Finding], doubts: Sequence[str]
) -> str:
    """The first finding that decides, those that the scenario demands before others."""
    decisive = sorted(
        (finding for finding in findings if finding.verdict is verdict),
        key=lambda finding: finding.check not in evidence.scenario.checks,
    )
    if verdict is Verdict.UNKNOWN and doubts:
        return f"{_asked_nothing(evidence)}{doubts[0]}"
    if verdict is Verdict.HELD:
        return f"{len(decisive)} promises held"
    said = f"{decisive[0].check}: {decisive[0].sentence}"
    refused = _refused(evidence) if verdict is Verdict.BROKEN else None
    if refused is None or refused.sentence in said:
        return said
    what = f"request {refused.request} with {refused.status} ({refused.rule})"
    return f"{said}; the provider had refused {what}: {refused.sentence}"


def _asked_nothing(evidence: Evidence) -> str:
    """Of a subject that never spoke to the provider: that explains whatever else did not happen."""
    ends = [start.ended for start in evidence.views.starts if start.ended is not None]
    if evidence.views.kinds.of(Requested) or not ends:
        return ""
    last = ends[-1]
    how = {
        "exited": f"it ended with exit code {last.exit_code}",
        "killed": "it was killed",
        "did_not_end": "it did not end in time",
    }[last.how]
    if last.exit_code is None and last.how == "exited":
        how = "it ended"
    return f"{how} and made no request; "


def _refused(evidence: Evidence) -> Refused | None:
    """The refusal that a start came to its end with: a loop that stops at a 400 is broken by what
    it asked, and what the provider had against it is told by no other word of it."""
    last: dict[int, Refused | Replied] = {}
    for entry in evidence.history:
        if isinstance(entry, Refused | Replied):
            last[entry.start] = entry
    return next(
        (
            entry
            for entry in last.values()
            if isinstance(entry, Refused) and entry.rule != "request_cap"
        ),
        None,
    )
