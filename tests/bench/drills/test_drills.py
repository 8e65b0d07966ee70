"""The reference holds in every drill, and each drill finds its mutants broken."""

from __future__ import annotations

import pytest

from faultloop.bench.drills import DRILLS
from faultloop.bench.drills.kit.drill import Drill, judged
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.mutants import MUTANTS
from faultloop.bench.mutants.mutant import Mutant
from faultloop.scenarios.verdict import Verdict

PAIRS = [(mutant, DRILLS[name]) for mutant in MUTANTS.values() for name in mutant.drills]


@pytest.mark.parametrize("drill", DRILLS.values(), ids=lambda drill: drill.name)
def test_the_reference_holds(drill: Drill) -> None:
    found = judged(drill, Kit())
    assert found.verdict is Verdict.HELD, found.sentence


@pytest.mark.parametrize(("mutant", "drill"), PAIRS, ids=[f"{m.name}-{d.name}" for m, d in PAIRS])
def test_a_mutant_is_found_broken(mutant: Mutant, drill: Drill) -> None:
    found = judged(drill, mutant.drilled())
    assert found.verdict is Verdict.BROKEN, found.sentence


def test_every_drill_has_a_mutant() -> None:
    assert {drill.name for _, drill in PAIRS} == set(DRILLS)


def test_a_drill_says_the_same_each_time() -> None:
    for name in ("idle-waits", "replay-is-exact"):
        mutant = MUTANTS[{"idle-waits": "idles-early"}.get(name, "says-what-it-did-not-record")]
        first, second = (judged(DRILLS[name], mutant.drilled()) for _ in range(2))
        assert first == second


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=lambda mutant: mutant.name)
def test_a_mutant_is_made_to_be_caught(mutant: Mutant) -> None:
    assert mutant.breaks or mutant.drills
