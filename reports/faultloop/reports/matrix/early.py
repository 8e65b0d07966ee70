"""Runs that ended before a promise could be put to the test.

A loop that dies of the first bad argument is never asked whether it explains a failure, and would
look better for it. Such a run ended as nothing accepts, without an end of its own making; and what
it was not asked is what its scenario is about, or what another column was asked in it.
"""

from __future__ import annotations

from collections.abc import Iterable

from faultloop.reports.rows import CheckRecord, PlayRecord
from faultloop.scenarios.checks import end_acceptable
from faultloop.scenarios.verdict import Verdict

Asked = frozenset[tuple[str, str]]
"""Scenarios with the promises that they put to the test, in one play at least."""

DEATHS = {
    "": "without a word of how",
    "error": "as an error",
    "did_not_end": "only when the bench ended it",
}
"""By end reason: how a run ends that breaks off."""


def asked_by(plays: Iterable[PlayRecord]) -> Asked:
    """What these plays put to the test."""
    return frozenset(
        (play.scenario, check.check)
        for play in plays
        for check in play.checks
        if check.verdict is not Verdict.NOT_APPLICABLE
    )


def how_it_ended(play: PlayRecord, check: CheckRecord, asked: Asked) -> str:
    """That the run ended too soon for this promise, in a sentence; empty where it did not."""
    how = DEATHS.get(play.end_reason)
    is_about = check.claim in play.claims or (play.scenario, check.check) in asked
    bad_end = next((one for one in play.checks if _is_bad_end(one)), None)
    if how is None or not is_about or bad_end is None:
        return ""
    return f"the run ended {how} before it came to this: {bad_end.proof.sentence}"


def _is_bad_end(check: CheckRecord) -> bool:
    return check.check == end_acceptable.NAME and check.verdict is Verdict.BROKEN
