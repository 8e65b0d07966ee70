"""The loop that everybody starts with is shipped, and breaks on each of the classic failures.

If it held where it cannot hold, the scenarios would be too kind, and a green play of any loop would
prove less than it says. Where a classic does not apply to the shipped loop, its row has to say why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from types import MappingProxyType

from faultloop.bench.drills.kit.drill import Drill, Unplayable, Untested
from faultloop.bench.drills.kit.parts import Kit
from faultloop.scenarios.verdict import Verdict

CLASSICS: Mapping[str, str] = MappingProxyType(
    {
        "complete-arguments-of-a-cut-reply": "half arguments",
        "unknown-tool-is-explained": "a misspelt tool name",
        "good-and-bad-call-in-one-batch": "a mixed batch",
        "cancel-own-command": "a cancel while a command of its own runs",
        "killed-after-the-effect": "a crash after the effect",
        "same-call-for-ever": "an endless identical retry",
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
    for record in records:
        what = CLASSICS[record.scenario]
        match record.verdict:
            case Verdict.BROKEN:
                continue
            case Verdict.NOT_APPLICABLE if record.reason:
                continue
            case Verdict.UNKNOWN:
                raise Untested(f"{record.scenario}: {record.reason}")
            case verdict:
                yield f"the minimal loop {kit.naive} is {verdict} in {record.scenario}: {what}"


DRILL = Drill(
    name="the-minimal-loop-breaks",
    claim="the minimal loop is shipped and breaks on each classic failure that its form allows",
    claims=("O1",),
    evidence="outside",
    run=run,
    processes=True,
)
