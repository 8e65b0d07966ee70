"""What the mutants prove of the catalogue, and what they leave open.

A scenario that no wrong loop breaks may be unable to fail. So every scenario should be broken by
some mutant that is wrong in its matter; a blunt one, which breaks most of the catalogue whatever it
stages (it drops results, say), proves little of any. The same holds for each check that a scenario
demands. An open pair is a list for the reader, not an error: a mutant for each would say no more of
the check than the one it has. An open scenario needs its reason in UNPROVEN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from faultloop.bench.mutants.kills import Broken, Kill
from faultloop.scenarios.scenario import Scenario

BLUNT_SHARE = 1 / 3
"""A mutant that breaks more of the catalogue than this is blunt."""

EVERYTHING = ("*",)
"""The scenarios of a mutant that is played over the whole catalogue."""

UNPROVEN: Mapping[str, str] = MappingProxyType(
    {
        "one-call": "nothing goes wrong in it, so only what breaks every play breaks it",
    }
)
"""Scenarios that no mutant breaks, and why none was made."""


def is_blunt(kill: Kill) -> bool:
    """Whether this mutant breaks whatever it meets; one that was made for a few scenarios is not
    played elsewhere, and is no proof of more than these."""
    if kill.mutant is not None and kill.mutant.scenarios != EVERYTHING:
        return False
    broken = {one.scenario for one in kill.where}
    return len(broken) > BLUNT_SHARE * len(kill.scenarios)


def open_scenarios(scenarios: Sequence[Scenario], table: Sequence[Kill]) -> tuple[str, ...]:
    """Scenarios that nothing breaks but blunt mutants."""
    broken = {one.scenario for kill in _telling(table) for one in kill.where}
    return tuple(scenario.name for scenario in scenarios if scenario.name not in broken)


def open_pairs(scenarios: Sequence[Scenario], table: Sequence[Kill]) -> tuple[Broken, ...]:
    """Checks that a scenario demands and no mutant breaks there, blunt ones included."""
    broken = {one for kill in table if kill.mutant for one in kill.where}
    return tuple(
        pair
        for scenario in scenarios
        for check in scenario.checks
        if (pair := Broken(scenario.name, check)) not in broken
    )


def without_reason(names: Sequence[str]) -> tuple[str, ...]:
    """Of open scenarios those that no reason is given for."""
    return tuple(name for name in names if name not in UNPROVEN)


def _telling(table: Sequence[Kill]) -> list[Kill]:
    return [kill for kill in table if kill.mutant and not is_blunt(kill)]
