"""Verdicts: what a check concludes, and how several conclusions become one.

Four values, worst wins: broken > unknown > held > not_applicable. A check that crashed, an empty
history or a fault that never fired is `unknown`; nothing but evidence makes `held`. A check judges
each thing that put its promise to the test and sums up; of nothing the sum is `not_applicable`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import msgspec


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
    return min(verdicts, key=_WORST_FIRST.index, default=Verdict.UNKNOWN)


class Finding(msgspec.Struct, frozen=True, kw_only=True):
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
    subject_cannot: bool = False
    """`not_applicable` by what the subject is (plain text, no memory, no journal), not by how the
    play went: no other play of it could put the promise to the test, so it is no doubt."""
    by_account: bool = False
    """`broken` by nothing but what the subject says of how its turns ended, for which its driver
    may be at fault: what the bench saw itself would have been accepted, or it saw nothing."""


PLAIN_TEXT = "this subject writes calls and results as plain text"
"""Why much cannot be judged of it."""
SENTENCES_MAX = 3
"""How many of several equal conclusions a sum still quotes; the rest is counted."""
POSITIONS_MAX = 50
"""How many positions a sum keeps: an endless loop proves itself with its first ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """A promise by name and claim, which words the findings of its check."""

    name: str
    claim: str
    """SPEC id."""

    def held(self, sentence: str, *positions: int) -> Finding:
        """It was put to the test and kept."""
        return self._found(Verdict.HELD, sentence, positions)

    def broken(self, sentence: str, *positions: int) -> Finding:
        """It was seen to be broken."""
        return self._found(Verdict.BROKEN, sentence, positions)

    def unknown(self, sentence: str, *positions: int) -> Finding:
        """The evidence does not tell."""
        return self._found(Verdict.UNKNOWN, sentence, positions)

    def not_applicable(self, sentence: str) -> Finding:
        """It was not put to the test; the sentence says why not."""
        return self._found(Verdict.NOT_APPLICABLE, sentence, ())

    def cannot_be_judged(self, sentence: str) -> Finding:
        """It can be judged in no play of this subject; the sentence says what it lacks."""
        return self._found(Verdict.NOT_APPLICABLE, sentence, (), subject_cannot=True)

    def needs_pairing(self, paired: bool) -> Finding | None:
        """Why it cannot be judged of a subject whose calls and results bear no ids."""
        return None if paired else self.cannot_be_judged(PLAIN_TEXT)

    def total(self, found: Iterable[Finding], *, untested: str) -> Finding:
        """One finding for several things judged: the worst verdict with all that support it.

        `untested` is the sentence where nothing was judged.
        """
        findings = list(found)
        if not findings:
            return self.not_applicable(untested)
        if len(findings) == 1:
            return findings[0]
        verdict = worst([finding.verdict for finding in findings])
        decisive = [finding for finding in findings if finding.verdict is verdict]
        subject_cannot = all(finding.subject_cannot for finding in decisive)
        sentences = list(dict.fromkeys([finding.sentence for finding in decisive]))
        quoted = "; ".join(sentences[:SENTENCES_MAX])
        more = len(sentences) - SENTENCES_MAX
        positions = tuple({p for finding in decisive for p in finding.positions})
        sentence = f"{quoted}; and {more} more" if more > 0 else quoted
        return self._found(verdict, sentence, positions, subject_cannot=subject_cannot)

    def _found(
        self,
        verdict: Verdict,
        sentence: str,
        positions: tuple[int, ...],
        *,
        subject_cannot: bool = False,
    ) -> Finding:
        return Finding(
            check=self.name,
            claim=self.claim,
            verdict=verdict,
            sentence=sentence,
            positions=tuple(sorted({*positions})[:POSITIONS_MAX]) if positions else (),
            subject_cannot=subject_cannot,
        )
