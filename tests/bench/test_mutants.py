"""Every check has a mutant that it catches, and the reference passes all of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from faultloop.bench.claims import CLAIMS
from faultloop.bench.mutants import MUTANTS, mends_what_was_cut
from faultloop.bench.mutants import __main__ as command
from faultloop.bench.mutants.kills import Broken, Kill, baselines, kills, unproven
from faultloop.bench.mutants.proof import (
    OPEN_PAIRS,
    claims_without_proof,
    is_blunt,
    needless,
    open_pairs,
    open_scenarios,
    without_reason,
)
from faultloop.loop.engine import Agent
from faultloop.scenarios import both_forms
from faultloop.scenarios.checks import CHECKS
from faultloop.scenarios.reading import catalogue
from faultloop.scenarios.subjects.finding import presets

CUT = ("cut-arguments-are-not-run", "ends-within-arguments", "reset-in-arguments")
STILL = ("stream-stands-still", "tool-never-answers")
OWN: tuple[str, ...] = ()
SOME = {
    "mends-what-was-cut": CUT,
    "waits-for-ever": STILL,
    "drops-a-result": ("calls-without-ids",),
    "gives-one-cause": OWN,
    "forgets-text-beside-calls": OWN,
    "hears-the-last-call-first": OWN,
}
"""A few, one of them for drills, and where each is seen; `OWN`: where it says itself. CI plays them
all, everywhere (`make mutants`)."""


@pytest.fixture(scope="module")
def table() -> dict[str, Kill]:
    """Their kill table, played once."""
    mutants = tuple(
        replace(MUTANTS[name], scenarios=where or MUTANTS[name].scenarios)
        for name, where in SOME.items()
    )
    return {kill.loop: kill for kill in kills(mutants, right_loops=False, all_drills=False)}


def test_every_check_has_a_mutant() -> None:
    assert unproven() == ()


def test_no_mutant_is_made_for_a_check_that_does_not_exist() -> None:
    broken = {check for mutant in MUTANTS.values() for check in mutant.breaks}
    assert broken <= {*CHECKS, both_forms.NAME}


def test_a_check_without_a_mutant_is_noticed() -> None:
    without = [m for m in MUTANTS.values() if "turns_closed" not in m.breaks]
    assert unproven(without) == ("turns_closed",)


def test_the_reference_and_all_presets_are_played_beside_them() -> None:
    assert [loop for loop, _ in baselines(())] == ["reference", *(one.name for one in presets())]


@pytest.mark.parametrize("name", SOME)
def test_a_mutant_is_caught_by_the_checks_it_was_made_for(
    table: dict[str, Kill], name: str
) -> None:
    assert table[f"mutant:{name}"].missed == ()


@pytest.mark.parametrize("name", CUT)
def test_half_arguments_that_were_mended_are_caught_wherever_they_are_cut(
    table: dict[str, Kill], name: str
) -> None:
    found = table["mutant:mends-what-was-cut"].where
    assert Broken(name, "truncated_not_executed") in found


@pytest.mark.parametrize("name", STILL)
def test_waiting_for_ever_is_caught_in_a_stream_and_in_a_tool(
    table: dict[str, Kill], name: str
) -> None:
    assert Broken(name, "end_acceptable") in table["mutant:waits-for-ever"].where


def test_a_mutant_that_is_not_caught_ends_the_command_with_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    harmless = replace(MUTANTS["gives-one-cause"], agent=Agent)
    survived = Kill(
        loop="mutant:gives-one-cause",
        mutant=harmless,
        broken=Counter(),
        where=frozenset(),
        scenarios=frozenset(),
        plays=3,
    )
    monkeypatch.setattr(command, "kills", lambda mutants: iter([kill(None), survived]))
    with pytest.raises(SystemExit) as ended:
        command.main(["gives-one-cause"])
    assert ended.value.code == 1


def test_what_nobody_breaks_needs_a_reason_and_what_somebody_breaks_needs_none() -> None:
    scenarios = catalogue()
    nothing = (kill(None, of=len(scenarios)),)
    assert without_reason(scenarios, nothing) != ()
    assert needless(scenarios, nothing) == ()
    pairs = [(pair.scenario, pair.check) for pair in OPEN_PAIRS]
    broken = (*nothing, kill("mumbles", *pairs, of=len(scenarios)))
    assert len(needless(scenarios, broken)) >= len(OPEN_PAIRS)
    assert claims_without_proof(CLAIMS, scenarios, nothing) != ()


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
