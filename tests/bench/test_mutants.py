"""Every check has a mutant that it catches, and the reference passes all of them."""

from __future__ import annotations

from collections import Counter

import pytest

from faultloop.bench.claims import CLAIMS
from faultloop.bench.mutants import MUTANTS, mends_what_was_cut
from faultloop.bench.mutants.kills import Broken, Kill, baselines, kills, unproven
from faultloop.bench.mutants.proof import (
    OPEN_PAIRS,
    UNPROVEN,
    claims_without_proof,
    is_blunt,
    open_pairs,
    open_scenarios,
    without_reason,
)
from faultloop.scenarios.checks import CHECKS
from faultloop.scenarios.reading import catalogue
from faultloop.scenarios.subjects.finding import presets


@pytest.fixture(scope="module")
def table() -> dict[str, Kill]:
    """The kill table, played once."""
    return {kill.loop: kill for kill in kills(all_drills=False)}


def test_every_check_has_a_mutant() -> None:
    assert unproven() == ()


def test_no_mutant_is_made_for_a_check_that_does_not_exist() -> None:
    assert {check for mutant in MUTANTS.values() for check in mutant.breaks} <= CHECKS.keys()


def test_a_check_without_a_mutant_is_noticed() -> None:
    without = [m for m in MUTANTS.values() if "turns_closed" not in m.breaks]
    assert unproven(without) == ("turns_closed",)


def test_no_check_is_broken_on_the_right_loops(table: dict[str, Kill]) -> None:
    right = [table[loop] for loop, _ in baselines(tuple(MUTANTS.values()))]
    assert {kill.loop: kill.broken for kill in right} == {kill.loop: {} for kill in right}
    assert len(right) == len(presets()) + 2
    assert right[0].plays > 80


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught_by_the_checks_it_was_made_for(
    table: dict[str, Kill], name: str
) -> None:
    assert table[f"mutant:{name}"].missed == ()


@pytest.mark.parametrize(
    "name", ["cut-arguments-are-not-run", "ends-within-arguments", "reset-in-arguments"]
)
def test_half_arguments_that_were_mended_are_caught_wherever_they_are_cut(
    table: dict[str, Kill], name: str
) -> None:
    found = table["mutant:mends-what-was-cut"].where
    assert Broken(name, "truncated_not_executed") in found


@pytest.mark.parametrize("name", ["stream-stands-still", "tool-never-answers"])
def test_waiting_for_ever_is_caught_in_a_stream_and_in_a_tool(
    table: dict[str, Kill], name: str
) -> None:
    assert Broken(name, "end_acceptable") in table["mutant:waits-for-ever"].where


def test_what_nothing_breaks_has_a_reason_and_each_reason_is_needed(
    table: dict[str, Kill],
) -> None:
    scenarios, found = catalogue(), tuple(table.values())
    assert without_reason(scenarios, found) == ()
    assert set(UNPROVEN) <= set(open_scenarios(scenarios, found))
    assert set(OPEN_PAIRS) <= set(open_pairs(scenarios, found))


def test_of_every_claim_some_scenario_or_drill_is_broken_by_a_mutant_that_names_it(
    table: dict[str, Kill],
) -> None:
    assert claims_without_proof(CLAIMS, catalogue(), tuple(table.values())) == ()


# --- how the rest is counted ----------------------------------------------------------------


def kill(name: str | None, *found: tuple[str, str], of: int = 3) -> Kill:
    """A loop's line in a table of `of` scenarios."""
    where = frozenset(Broken(*one) for one in found)
    return Kill(
        loop=name or "reference",
        mutant=MUTANTS[name] if name else None,
        broken=Counter(one.check for one in where),
        where=where,
        scenarios=frozenset(scenario.name for scenario in catalogue()[:of]),
        plays=of,
    )


def test_a_blunt_mutant_proves_no_scenario_but_its_pairs() -> None:
    first, second, third = scenarios = catalogue()[:3]
    everywhere = [(scenario.name, "end_acceptable") for scenario in scenarios]
    blunt = kill("drops-a-result", *everywhere)
    sharp = kill("mumbles", (second.name, "requests_bounded"))
    assert (is_blunt(blunt), is_blunt(sharp)) == (True, False)
    assert open_scenarios(scenarios, (kill(None), blunt, sharp)) == (first.name, third.name)
    pairs = open_pairs(scenarios, (kill(None), blunt, sharp))
    assert {pair.check for pair in pairs}.isdisjoint({"end_acceptable"})
    assert Broken(first.name, "requests_bounded") in pairs
    assert Broken(second.name, "requests_bounded") not in pairs


@pytest.mark.parametrize(
    ("half", "whole"),
    [
        ("", "{}"),
        ('{"path":"a","content":"b', '{"path":"a","content":"b"}'),
        ('{"a":[{"b":1', '{"a":[{"b":1}]}'),
        ('{"a":"x\\', '{"a":"x"}'),
        ('{"a":"}"', '{"a":"}"}'),
        ('{"a":1}', '{"a":1}'),
    ],
)
def test_half_json_is_mended_as_a_careless_loop_would(half: str, whole: str) -> None:
    assert mends_what_was_cut.mended(half) == whole
