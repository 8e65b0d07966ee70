"""The first thing a reader is told: who kept its promises and who did not, in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from faultloop.reports.rows import DRILL, PlayRecord, Summary
from faultloop.scenarios.verdict import Verdict, worst

GLYPHS = {
    Verdict.BROKEN: "✗",
    Verdict.UNKNOWN: "?",
    Verdict.HELD: "✓",
    Verdict.NOT_APPLICABLE: "–",
}
"""A verdict is never told by colour alone."""

WORDS = {
    Verdict.BROKEN: "broken",
    Verdict.UNKNOWN: "cannot tell",
    Verdict.HELD: "held",
    Verdict.NOT_APPLICABLE: "not applicable",
}

DEFAULT_POLICY = "reference"
"""The preset that goes without saying."""

FAMILIES = {
    "P": "From tokens to a valid call",
    "C": "Tool contracts",
    "S": "Scheduling",
    "D": "Durability, retries, effects",
    "X": "Cancelling and steering",
    "L": "The loop and how it ends",
    "I": "Inbox",
    "G": "Goals",
    "E": "Events",
    "O": "Whole stories",
}
"""Promises by the letter of their SPEC id, in the order in which a report shows them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one subject, or all of them, came off."""

    subject: str
    version: str
    totals: dict[Verdict, int]

    @property
    def judged(self) -> int:
        """Plays that put a promise to the test."""
        return sum(self.totals.values()) - self.totals[Verdict.NOT_APPLICABLE]

    @property
    def verdict(self) -> Verdict:
        """The worst that it got."""
        return worst(verdict for verdict, number in self.totals.items() if number)

    @property
    def sentence(self) -> str:
        """One sentence for people."""
        broken, unknown = self.totals[Verdict.BROKEN], self.totals[Verdict.UNKNOWN]
        if not self.judged:
            return f"{self.subject} was not put to the test: nothing here applies to it"
        if broken:
            return f"{self.subject} breaks its promises in {broken} of {plays(self.judged)}"
        if unknown:
            return f"{self.subject}: {unknown} of {plays(self.judged)} cannot be told"
        return f"{self.subject} keeps every promise in {plays(self.judged)}"


def standings(summary: Summary) -> list[Standing]:
    """One for each subject, worst first."""
    names = dict.fromkeys(record.subject for record in summary.plays)
    found = [
        _standing(name, [record for record in summary.plays if record.subject == name])
        for name in names
    ]
    return sorted(found, key=lambda one: (-one.totals[Verdict.BROKEN], one.subject))


def _standing(name: str, records: Sequence[PlayRecord]) -> Standing:
    totals = {verdict: sum(r.verdict is verdict for r in records) for verdict in Verdict}
    return Standing(subject=name, version=records[0].version, totals=totals)


def headline(summary: Summary) -> str:
    """One sentence for the whole report."""
    found = standings(summary)
    if not found:
        return "Nothing was played"
    if len(found) == 1:
        return found[0].sentence
    if len(found) == 2:
        return "; ".join(one.sentence for one in found)
    broken = [one.subject for one in found if one.verdict is Verdict.BROKEN]
    if broken:
        number = plays(summary.totals[Verdict.BROKEN])
        if len(broken) == len(found):
            return f"All {len(found)} subjects break promises, in {number}"
        verb = "breaks" if len(broken) == 1 else "break"
        return f"{_named(broken)} {verb} promises in {number}; nothing else is broken"
    unknown = summary.totals[Verdict.UNKNOWN]
    if unknown:
        return f"Nothing is broken, but {plays(unknown)} cannot be told"
    if not summary.totals[Verdict.HELD]:
        return "Nothing was put to the test: no scenario applies to these subjects"
    kept = f"every promise: {plays(summary.totals[Verdict.HELD])} held"
    idle = [one.subject for one in found if not one.judged]
    if idle:
        judged = _named([one.subject for one in found if one.judged])
        verb = "keeps" if len(found) - len(idle) == 1 else "keep"
        return f"{judged} {verb} {kept}; nothing here applies to {_named(idle)}"
    return f"All {len(found)} subjects keep {kept}"


def cut_short(summary: Summary) -> str:
    """That the run ended before its time, in a sentence that what follows is read under; empty
    where it did not."""
    if not summary.is_cut_short:
        return ""
    return f"interrupted: {len(summary.plays)} of {plays(summary.planned)} were made, and of these:"


def family(claims: Iterable[str]) -> str:
    """The letter of the family that a scenario is shown under: its first claim's."""
    letter = next(iter(claims), "O")[0]
    return letter if letter in FAMILIES else "O"


def plays(number: int) -> str:
    """`1 play`, `2 plays`."""
    return f"{number} play{'' if number == 1 else 's'}"


def column(record: PlayRecord) -> str:
    """Which way of running the subject, in two or three words."""
    form = "" if record.dialect == DRILL else "streamed" if record.streaming else "whole"
    policy = "" if record.policy == DEFAULT_POLICY else record.policy
    return " ".join(filter(None, [record.dialect.replace("_", " "), form, policy]))


def _named(names: Sequence[str]) -> str:
    if len(names) > 3:
        return f"{len(names)} subjects"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def failures(summary: Summary) -> list[Sequence[PlayRecord]]:
    """Plays that need a person: broken before unknown, all plays of a scenario together."""
    found: dict[tuple[str, str], list[PlayRecord]] = {}
    for verdict in (Verdict.BROKEN, Verdict.UNKNOWN):
        for record in summary.plays:
            if record.verdict is verdict:
                found.setdefault((record.subject, record.scenario), []).append(record)
    return list(found.values())
