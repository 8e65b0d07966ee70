"""The gate: may CANDIDATE replace BASE? Not if anything that held is broken, unknown or gone.

Exit codes: 0 it may, 1 it may not, 2 the input tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from faultloop.reports.compare import Comparison, Pair, compare
from faultloop.reports.headline import WORDS, column, plays
from faultloop.reports.reading import BadReport, read_summary
from faultloop.reports.rows import PlayRecord
from faultloop.scenarios.verdict import Verdict

OPEN, CLOSED, BAD_INPUT = 0, 1, 2


class Decision(NamedTuple):
    """What the gate says, and the exit code that says it to a machine."""

    exit_code: int
    text: str


def gate(base: Path, candidate: Path) -> Decision:
    """Compare two report directories. Never raises for what lies in them."""
    try:
        old, new = read_summary(base), read_summary(candidate)
    except BadReport as error:
        return Decision(BAD_INPUT, error.sentence)
    if not any(record.verdict is Verdict.HELD for record in old.plays):
        return Decision(
            BAD_INPUT,
            f"{base} holds no play that held, so there is nothing that {candidate} could lose; "
            "give a report of a working loop as the base",
        )
    comparison = compare(old, new)
    return Decision(CLOSED if comparison.worse else OPEN, tell(comparison))


def tell(comparison: Comparison) -> str:
    """The comparison as text: the decision first, then each play and why."""
    lines = [_decision(comparison)]
    if comparison.subjects:
        base, candidate = comparison.subjects
        lines.append(f"subject {base} is compared with subject {candidate}, play by play")
    for title, pairs in (
        ("no longer held", comparison.lost),
        ("mended", comparison.mended),
        ("changed", comparison.changed),
    ):
        lines += _section(title, map(_pair, pairs))
    lines += _section("vanished", map(_single, comparison.vanished))
    lines += _section("new", map(_single, comparison.new))
    return "\n".join(lines)


def _decision(comparison: Comparison) -> str:
    gone = [play for play in comparison.vanished if play.verdict is Verdict.HELD]
    worse = [f"{plays(len(comparison.lost))} no longer held"] if comparison.lost else []
    worse += [f"{plays(len(gone))} that held vanished"] if gone else []
    if worse:
        return f"gate closed: {' and '.join(worse)}; {comparison.same} the same"
    return f"gate open: nothing that held was lost; {comparison.same} the same"


def _section(title: str, entries: Iterable[str]) -> list[str]:
    listed = list(entries)
    return ["", f"{title} ({len(listed)}):", *listed] if listed else []


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
