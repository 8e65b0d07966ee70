"""The gate: may CANDIDATE replace BASE? Not if anything that held is broken, unknown or gone.

Exit codes: 0 it may, 1 it may not, 2 the input tells nothing, 3 it cannot be told, because the
candidate's run was cut short before it had made all that the base holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from faultloop.reports.compare import Comparison, Pair, compare
from faultloop.reports.headline import FAMILIES, WORDS, column, family, plays
from faultloop.reports.reading import SUMMARY, BadReport, read_summary
from faultloop.reports.rows import PlayRecord, Summary
from faultloop.scenarios.verdict import Verdict

OPEN, CLOSED, BAD_INPUT, CANNOT_TELL = 0, 1, 2, 3

LISTED_MAX = 10
"""Plays of a kind that are told one by one; of more, as between two catalogues, the rest is
counted."""


class Decision(NamedTuple):
    """What the gate says, and the exit code that says it to a machine."""

    exit_code: int
    text: str


def gate(base: Path, candidate: Path, *, everything: bool = False) -> Decision:
    """Compare two report directories; `everything` lists each play. Never raises for what lies in
    them."""
    try:
        old, new = read_summary(base), read_summary(candidate)
    except BadReport as error:
        return Decision(BAD_INPUT, error.sentence)
    for path, summary in ((base, old), (candidate, new)):
        if doubt := _doubt(summary):
            return Decision(
                BAD_INPUT,
                f"{path}/{SUMMARY} contradicts itself, so it was changed after it was written:"
                f" {doubt}; play again",
            )
    if not any(record.verdict is Verdict.HELD for record in old.plays):
        return Decision(
            BAD_INPUT,
            f"{base} holds no play that held, so there is nothing that {candidate} could lose; "
            "give a report of a working loop as the base",
        )
    comparison = compare(old, new)
    warnings = _warnings(base, old, candidate, new)
    text = tell(comparison, cut_short=new.is_cut_short, everything=everything)
    exit_code = _exit_code(comparison, new.is_cut_short)
    return Decision(exit_code, "\n".join([*warnings, text]))


def _doubt(summary: Summary) -> str:
    """What in a summary cannot be true; empty where all can."""
    counted = Counter(record.verdict for record in summary.plays)
    for verdict in Verdict:
        said, found = summary.totals.get(verdict, 0), counted[verdict]
        if said != found:
            return f"it says that {plays(said)} {WORDS[verdict]}, and holds {found}"
    for record in summary.plays:
        broken = next((one for one in record.checks if one.verdict is Verdict.BROKEN), None)
        if record.verdict is Verdict.HELD and broken is not None:
            return (
                f"{record.scenario} of {record.subject} held, although its {broken.check} did not"
            )
    return ""


def _exit_code(comparison: Comparison, cut_short: bool) -> int:
    if comparison.lost or (comparison.gone and not cut_short):
        return CLOSED
    return CANNOT_TELL if comparison.gone else OPEN


def _warnings(base: Path, old: Summary, candidate: Path, new: Summary) -> list[str]:
    return [
        f"warning: {path} is of a run that was cut short: {len(summary.plays)} of "
        f"{plays(summary.planned)} were made, and only these are compared"
        for path, summary in ((base, old), (candidate, new))
        if summary.is_cut_short
    ]


def tell(comparison: Comparison, *, cut_short: bool = False, everything: bool = False) -> str:
    """The comparison as text: the decision first, then each play and why, or how many there are.

    `cut_short`: the candidate's run was, so that what is missing has not vanished.
    """
    lines = [_decision(comparison, cut_short=cut_short)]
    if comparison.subjects:
        base, candidate = comparison.subjects
        lines.append(f"subject {base} is compared with subject {candidate}, play by play")
    sections = {
        LOST: [_Told(pair.candidate, _pair(pair)) for pair in comparison.lost],
        "mended": [_Told(pair.candidate, _pair(pair)) for pair in comparison.mended],
        "changed": [_Told(pair.candidate, _pair(pair)) for pair in comparison.changed],
        "not played" if cut_short else "vanished": [
            _Told(record, _single(record)) for record in comparison.vanished
        ],
        "new": [_Told(record, _single(record)) for record in comparison.new],
    }
    for title, told in sections.items():
        lines += _section(title, told, everything=everything)
    if not everything and any(len(told) > LISTED_MAX for told in sections.values()):
        lines += ["", "--all lists each play"]
    return "\n".join(lines)


LOST = "no longer held"


class _Told(NamedTuple):
    """A play, and what is said of it where each is listed."""

    record: PlayRecord
    text: str


def _decision(comparison: Comparison, *, cut_short: bool) -> str:
    lost, gone = plays(len(comparison.lost)), plays(len(comparison.gone))
    worse = [f"{lost} no longer held"] if comparison.lost else []
    if comparison.gone:
        worse += [f"{gone} that held {'were not made' if cut_short else 'vanished'}"]
    what = " and ".join(worse) or "nothing that held was lost"
    return f"gate {_STATES[_exit_code(comparison, cut_short)]}: {what}; {comparison.same} the same"


_STATES = {OPEN: "open", CLOSED: "closed", CANNOT_TELL: "cannot tell"}


def _section(title: str, told: Sequence[_Told], *, everything: bool) -> list[str]:
    if not told:
        return []
    head = ["", f"{title} ({len(told)}):"]
    if everything or len(told) <= LISTED_MAX:
        return [*head, *(one.text for one in told)]
    shown = told[:LISTED_MAX] if title == LOST else ()
    rest = [one.record for one in told[len(shown) :]]
    return [*head, *(one.text for one in shown), *(["  and"] if shown else []), *_counts(rest)]


def _counts(records: Sequence[PlayRecord]) -> list[str]:
    """How many plays of which family, one line for each subject."""
    by_subject: dict[str, Counter[str]] = {}
    for record in records:
        by_subject.setdefault(record.subject, Counter())[family(record.claims)] += 1
    return [
        f"  {subject}: {plays(found.total())} ("
        + "; ".join(f"{FAMILIES[one]}: {found[one]}" for one in FAMILIES if found[one])
        + ")"
        for subject, found in by_subject.items()
    ]


def _pair(pair: Pair) -> str:
    base, candidate = pair
    # What is held now has its reason in what it was; all else in what it is.
    telling = base if candidate.verdict is Verdict.HELD else candidate
    step = f"{WORDS[base.verdict]} -> {WORDS[candidate.verdict]}"
    lines = [f"  {_named(candidate)}: {step}"]
    lines += [
        f"    {check.check} ({check.claim}): {check.proof.sentence}"
        for check in telling.checks
        if check.verdict is telling.verdict
    ] or [f"    {telling.reason}"]
    if candidate.verdict in (Verdict.BROKEN, Verdict.UNKNOWN) and candidate.replay:
        lines.append(f"    {candidate.replay}")
    return "\n".join(lines)


def _single(record: PlayRecord) -> str:
    reason = "" if record.verdict is Verdict.HELD else f", {record.reason}"
    return f"  {_named(record)}: {WORDS[record.verdict]}{reason}"


def _named(record: PlayRecord) -> str:
    return (
        f"{record.scenario} [{record.subject}, {column(record)}, {record.tier}, "
        f"seed {record.seed}, repeat {record.repeat}]"
    )
