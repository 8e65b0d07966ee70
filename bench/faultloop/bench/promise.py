"""A promise, judged over all plays of one lot: what the test modules in `promises` assert.

Broken and unknown fail, not applicable skips; a failure names each play in one line, with the
command that plays it again. Nothing is played here.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from faultloop.reports.rows import CheckRecord, PlayRecord
from faultloop.scenarios.checks import CHECKS
from faultloop.scenarios.verdict import Verdict, worst

SHOWN_MAX = 12
"""Failing plays that a test prints in full; the report has all of them."""


class Promise:
    """The plays of one lot, and what they say of a promise."""

    def __init__(self, name: str, plays: Sequence[PlayRecord]) -> None:
        self.name = name
        self._plays = plays

    def must_hold(self, check: str) -> None:
        """Fail where a play broke it or cannot tell; skip where no play puts it to the test."""
        findings = [
            (play, finding)
            for play in self._plays
            for seen, finding in zip(play.checks, play.counted, strict=True)
            # In a play that proves nothing, nothing holds; that it proves nothing is one failure,
            # of `must_be_known`, and not one of every promise.
            if finding.check == check
            and (finding.verdict is seen.verdict or seen.verdict is not Verdict.HELD)
        ]
        verdict = (
            worst(finding.verdict for _, finding in findings)
            if findings
            else Verdict.NOT_APPLICABLE
        )
        if verdict is Verdict.HELD:
            return
        if verdict is Verdict.NOT_APPLICABLE:
            pytest.skip(f"not applicable: no play of {self.name} puts {check} to the test")
        bad = [pair for pair in findings if pair[1].verdict in (Verdict.BROKEN, Verdict.UNKNOWN)]
        tested = sum(finding.verdict is not Verdict.NOT_APPLICABLE for _, finding in findings)
        why = CHECKS[check]
        lines = [
            f"{self.name}: {check} ({bad[0][1].claim}) is {verdict} in {len(bad)} of the "
            f"{tested} plays that put it to the test",
            *(line for play, finding in bad[:SHOWN_MAX] for line in _lines(play, finding)),
            *([f"... and {len(bad) - SHOWN_MAX} more"] if len(bad) > SHOWN_MAX else []),
            f"Why it matters: {why.WHY}",
            f"How loops fix it: {why.CURE}",
        ]
        pytest.fail("\n".join(lines), pytrace=False)

    def must_be_known(self) -> None:
        """Fail where the verdict of a play as a whole is `unknown`."""
        unknown = [play for play in self._plays if play.verdict is Verdict.UNKNOWN]
        if unknown:
            lines = [
                f"{self.name}: {len(unknown)} of {len(self._plays)} plays prove nothing",
                *(f"  {p.scenario}: {p.reason}\n    {p.replay}" for p in unknown[:SHOWN_MAX]),
            ]
            pytest.fail("\n".join(lines), pytrace=False)
        if all(play.verdict is Verdict.NOT_APPLICABLE for play in self._plays):
            pytest.skip(f"not applicable: no scenario applies to {self.name}")


def _lines(play: PlayRecord, finding: CheckRecord) -> list[str]:
    positions = ", ".join(map(str, finding.proof.positions))
    return [
        f"  {play.scenario}: {finding.verdict}: {finding.proof.sentence}"
        + (f" [{positions}]" if positions else ""),
        f"    {play.replay}",
    ]
