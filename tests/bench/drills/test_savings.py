"""What a repair rule saves is a difference of two turns, told in the row of its drill (SPEC O5)."""

from __future__ import annotations

import pytest

from faultloop.bench.drills import DRILLS
from faultloop.bench.drills.kit.drill import judged
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.repairs_save_requests import SLIPS, Saving, savings
from faultloop.bench.mutants import MUTANTS
from faultloop.loop.arguments import REPAIRS


@pytest.fixture(scope="module")
def counted() -> dict[str, Saving]:
    """The savings of the reference, by rule."""
    return {saving.rule: saving for saving in savings(Kit())}


def test_every_rule_is_counted() -> None:
    assert set(SLIPS) == {*REPAIRS, "tool_alias"}


@pytest.mark.parametrize("rule", SLIPS)
def test_a_rule_saves_the_request_that_would_mend_its_slip(
    counted: dict[str, Saving], rule: str
) -> None:
    saving = counted[rule]
    assert saving.applied
    assert saving.given == [SLIPS[rule][1]]
    assert saving.saved.requests == 1
    assert 100 < saving.saved.tokens < 1_000


def test_a_loop_without_repairs_saves_nothing() -> None:
    kit = MUTANTS["repairs-nothing"].drilled()
    assert {saving.saved.requests for saving in savings(kit)} == {0}


def test_the_numbers_stand_in_the_row() -> None:
    found = judged(DRILLS["repairs-save-requests"], Kit())
    assert "unwrap_string saves 1 request and " in found.sentence
