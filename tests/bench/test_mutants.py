"""Every check has a mutant that it catches, and the reference passes all of them."""

from __future__ import annotations

import pytest

from faultloop.bench.mutants import MUTANTS
from faultloop.bench.mutants.kills import Kill, kills, unproven
from faultloop.scenarios.checks import CHECKS


@pytest.fixture(scope="module")
def table() -> dict[str, Kill]:
    """The kill table, played once."""
    return {kill.loop: kill for kill in kills()}


def test_every_check_has_a_mutant() -> None:
    assert unproven() == ()


def test_no_mutant_is_made_for_a_check_that_does_not_exist() -> None:
    assert {check for mutant in MUTANTS.values() for check in mutant.breaks} <= CHECKS.keys()


def test_a_check_without_a_mutant_is_noticed() -> None:
    without = [m for m in MUTANTS.values() if "turns_closed" not in m.breaks]
    assert unproven(without) == ("turns_closed",)


def test_no_check_is_broken_on_the_reference(table: dict[str, Kill]) -> None:
    reference = table["reference"]
    assert reference.broken == {}
    assert reference.plays > 100


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught_by_the_checks_it_was_made_for(
    table: dict[str, Kill], name: str
) -> None:
    assert table[f"mutant:{name}"].missed == ()
