"""Runs that ended before a promise could be put to the test.

A loop that dies of the first bad argument is never asked whether it explains a failure, and would
look better for it. Such a run ended as nothing accepts, without an end of its own making. What it
was not asked is what others were asked in the same scenario; where all died in it, what the
scenario is about.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from faultloop.reports.rows import CheckRecord, PlayRecord
from faultloop.scenarios.checks import end_acceptable
from faultloop.scenarios.verdict import Verdict

DEATHS = {
    "": "without a word of how",
    "error": "as an error",
    "did_not_end": "only when the bench ended it",
}
"""By end reason: how a run ends that breaks off."""


class Asked(NamedTuple):
    """What scenarios ask of whoever lives."""

    promises: frozenset[tuple[str, str]]
    """Scenarios with the checks that they put to the test, in one play at least."""
    survived: frozenset[str]
    """Scenarios in which a run came to an end that was not its death."""


def asked_by(plays: Iterable[PlayRecord]) -> Asked:
    """What these plays put to the test."""
    known = tuple(plays)
    return Asked(
        promises=frozenset(
            (play.scenario, check.check)
            for play in known
            for check in play.checks
            if check.verdict is not Verdict.NOT_APPLICABLE
        ),
        survived=frozenset(play.scenario for play in known if play.checks and not _death(play)),
    )


def how_it_ended(play: PlayRecord, check: CheckRecord, asked: Asked) -> str:
    """That the run ended too soon for this promise, in a sentence; empty where it did not."""
    is_about = check.claim in play.claims and play.scenario not in asked.survived
    if not is_about and (play.scenario, check.check) not in asked.promises:
        return ""
    return _death(play)


def _death(play: PlayRecord) -> str:
    how = DEATHS.get(play.end_reason)
    end = next((one for one in play.checks if one.check == end_acceptable.NAME), None)
    if how is None or end is None or end.verdict is not Verdict.BROKEN:
        return ""
    return f"the run ended {how} before it came to this: {end.proof.sentence}"
