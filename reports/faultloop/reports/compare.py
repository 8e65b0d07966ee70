"""Two reports side by side: which plays got worse, better, otherwise different, lost or added.

Plays are matched by their whole key. Where each report holds exactly one subject and they differ
(the reference against a mutant), plays are matched without the subject and the name of its policy,
and the comparison says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from faultloop.reports.rows import PlayKey, PlayRecord, Summary
from faultloop.scenarios.verdict import Verdict, worst


class Pair(NamedTuple):
    """The same play in both reports."""

    base: PlayRecord
    candidate: PlayRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What became of the base's plays in the candidate; all in the order of their keys."""

    subjects: tuple[str, str] | None
    """The two names, where one subject is compared with another."""
    lost: tuple[Pair, ...]
    """Held in the base and anything else in the candidate."""
    mended: tuple[Pair, ...]
    """Held in the candidate and anything else in the base."""
    changed: tuple[Pair, ...]
    """Not held in either, and not for the same checks or with the same verdict."""
    vanished: tuple[PlayRecord, ...]
    """Only in the base."""
    new: tuple[PlayRecord, ...]
    """Only in the candidate."""
    same: int
    """Plays with the same outcome in both."""

    @property
    def gone(self) -> tuple[PlayRecord, ...]:
        """What held in the base and is no longer played."""
        return tuple(play for play in self.vanished if play.verdict is Verdict.HELD)


def compare(base: Summary, candidate: Summary) -> Comparison:
    """Compare two reports. Neither needs to hold any play."""
    subjects = _one_against_another(base, candidate)
    key = _key_without_subject if subjects else _key
    before, after = _by_key(base, key), _by_key(candidate, key)
    pairs = [Pair(before[k], after[k]) for k in sorted(before.keys() & after.keys())]
    differing = [pair for pair in pairs if _outcome(pair.base) != _outcome(pair.candidate)]

    def where(test: Callable[[Pair], bool]) -> tuple[Pair, ...]:
        return tuple(pair for pair in differing if test(pair))

    return Comparison(
        subjects=subjects,
        lost=where(lambda pair: pair.base.verdict is Verdict.HELD),
        mended=where(lambda pair: pair.candidate.verdict is Verdict.HELD),
        changed=where(lambda p: Verdict.HELD not in (p.base.verdict, p.candidate.verdict)),
        vanished=tuple(before[k] for k in sorted(before.keys() - after.keys())),
        new=tuple(after[k] for k in sorted(after.keys() - before.keys())),
        same=len(pairs) - len(differing),
    )


def _one_against_another(base: Summary, candidate: Summary) -> tuple[str, str] | None:
    old = {record.subject for record in base.plays}
    new = {record.subject for record in candidate.plays}
    if len(old) != 1 or len(new) != 1 or old == new:
        return None
    return old.pop(), new.pop()


def _by_key(summary: Summary, key: Callable[[PlayRecord], PlayKey]) -> dict[PlayKey, PlayRecord]:
    """Each play once: of several with one key the worst, so that none hides behind another."""
    found: dict[PlayKey, PlayRecord] = {}
    for record in summary.plays:
        known = found.get(key(record))
        if known is None or worst((known.verdict, record.verdict)) is not known.verdict:
            found[key(record)] = record
    return found


def _key(record: PlayRecord) -> PlayKey:
    return record.key


def _key_without_subject(record: PlayRecord) -> PlayKey:
    return record.key._replace(subject="", policy="")


def _outcome(record: PlayRecord) -> tuple[Verdict, frozenset[str]]:
    """Verdict and, unless it held, the checks that made it; sentences may differ freely."""
    if record.verdict is Verdict.HELD:
        return record.verdict, frozenset()
    return record.verdict, frozenset(
        check.check for check in record.checks if check.verdict is record.verdict
    )
