"""The loop that everybody starts with is shipped, and breaks on each of the classic failures.

If it held where it cannot hold, the scenarios would be too kind, and a green play of any loop would
prove less than it says. Nor is any break enough: a loop that cannot even be started breaks them
all, so each must be seen by the checks that it is made for. Where a classic does not apply to the
shipped loop, its row has to say why.

Alone among the drills it is judged from outside, by the rows of plays: nobody's journal is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from types import MappingProxyType
from typing import NamedTuple

from faultloop.bench.drills.kit.drill import Drill, Unplayable, Untested
from faultloop.bench.drills.kit.parts import Kit
from faultloop.reports.rows import PlayRecord
from faultloop.scenarios.verdict import Verdict


class Classic(NamedTuple):
    """A failure that every minimal loop meets."""

    what: str
    seen_by: tuple[str, ...]
    """The checks that must find it broken."""
    quoting: str = ""
    """What each of their findings must quote, where the check alone does not tell the failure."""


CLASSICS: Mapping[str, Classic] = MappingProxyType(
    {
        "complete-arguments-of-a-cut-reply": Classic("half arguments", ("truncated_not_executed",)),
        # No request follows that could explain anything: it dies of the name.
        "unknown-tool-is-explained": Classic(
            "a misspelt tool name", ("end_acceptable",), quoting="readFile"
        ),
        "good-and-bad-call-in-one-batch": Classic(
            "a mixed batch", ("end_acceptable",), quoting="open_file"
        ),
        "cancel-own-command": Classic(
            "a cancel while a command of its own runs", ("nothing_after_cancel",)
        ),
        "killed-after-the-effect": Classic(
            "a crash after the effect", ("effects_once", "unknown_outcome_told")
        ),
        "same-call-for-ever": Classic("an endless identical retry", ("requests_bounded",)),
    }
)
"""Scenario to the failure that it stages."""


def run(kit: Kit) -> Iterator[str]:
    """Play the classics with it, and read the rows."""
    # Not at the top: whoever chooses subjects knows the mutants, which are made of kits.
    from faultloop.bench.running import play_lot
    from faultloop.bench.selection import choose
    from faultloop.bench.wanted import Selection

    if kit.naive == "naive-openai" and find_spec("openai") is None:
        raise Unplayable("the minimal loop needs the openai SDK: install faultloop[openai]")
    scenarios = tuple(CLASSICS)
    (lot,) = choose(Selection(subjects=(kit.naive,), scenarios=scenarios, streaming=True, repeat=1))
    records = play_lot(lot, keep=lambda played: None)
    if {record.scenario for record in records} != set(CLASSICS):
        raise Untested(f"of the classics {sorted(CLASSICS)} only some are in the catalogue")
    yield from kept(records)


def kept(records: Iterable[PlayRecord]) -> Iterator[str]:
    """The classics that it did not break on as it must. Raises Untested where that is unknown."""
    for record in records:
        classic = CLASSICS[record.scenario]
        where = f"in {record.scenario} ({classic.what})"
        match record.verdict:
            case Verdict.BROKEN:
                if missing := [check for check in classic.seen_by if not _saw(record, check)]:
                    quoting = f", quoting {classic.quoting!r}" if classic.quoting else ""
                    by = f"{', '.join(missing)}{quoting}, but {record.reason}"
                    yield f"the minimal loop {record.subject} is not broken {where} by {by}"
            case Verdict.NOT_APPLICABLE if record.reason:
                continue
            case Verdict.UNKNOWN:
                raise Untested(f"{record.scenario}: {record.reason}")
            case verdict:
                yield f"the minimal loop {record.subject} is {verdict} {where}"


def _saw(record: PlayRecord, check: str) -> bool:
    quoting = CLASSICS[record.scenario].quoting
    return any(
        one.verdict is Verdict.BROKEN and quoting in one.proof.sentence
        for one in record.checks
        if one.check == check
    )


DRILL = Drill(
    name="the-minimal-loop-breaks",
    claim="the minimal loop is shipped and breaks on each classic failure that its form allows",
    claims=("O1",),
    evidence="outside",
    run=run,
    processes=True,
)
