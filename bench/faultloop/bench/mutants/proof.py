"""What the mutants prove of the catalogue, and what they leave open.

A scenario that no wrong loop breaks may be unable to fail. So every scenario should be broken by
some mutant that is wrong in its matter; a blunt one, which breaks most of the catalogue whatever it
stages (it drops results, say), proves little of any. The same holds for each check that a scenario
demands. An open pair is a list for the reader, not an error: a mutant for each would say no more of
the check than the one it has. An open scenario needs its reason in UNPROVEN.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from faultloop.bench.drills import DRILLS
from faultloop.bench.mutants.kills import Broken, Kill
from faultloop.scenarios.scenario import Scenario

BLUNT_SHARE = 1 / 3
"""A mutant that breaks more of the catalogue than this is blunt."""

EVERYTHING = ("*",)
"""The scenarios of a mutant that is played over the whole catalogue."""

_OTHER_DIALECT = (
    "Chat Completions has no form for it, and the reference, which each mutant is made of, speaks "
    "no other dialect; wrong loops of other dialects are among the tests' styles"
)
_NO_FRAME = "in process a body has no frame for it to stand in, and mutants are played in process"

UNPROVEN: Mapping[str, str] = MappingProxyType(
    {
        "blocks-never-end": _OTHER_DIALECT,
        "malformed-call-is-no-answer": _OTHER_DIALECT,
        "trailer-after-the-reply": _NO_FRAME,
    }
)
"""Scenarios that no mutant breaks, and why none was made."""

OPEN_PAIRS: Mapping[Broken, str] = MappingProxyType(
    {
        **{
            Broken(name, "requests_bounded"): "its own small step limit ends every wrong loop first"
            for name in ("append-504-on-the-last-step", "cut-again-and-again")
        },
        **{
            Broken("cancel-own-command", check): "real tier only; shown by scenarios of both tiers"
            for check in ("requests_bounded", "cut_told")
        },
        **{
            Broken("blocks-never-end", check): _OTHER_DIALECT
            for check in ("end_acceptable", "requests_bounded", "results_closed", "arguments_exact")
        },
        **{
            Broken("malformed-call-is-no-answer", check): _OTHER_DIALECT
            for check in ("end_acceptable", "requests_bounded")
        },
        **{
            Broken("trailer-after-the-reply", check): _NO_FRAME
            for check in ("end_acceptable", "requests_bounded", "results_closed", "arguments_exact")
        },
        Broken("pull-request-delivered-twice-and-keys-honoured", "effects_once"): "the second "
        "effect is the network's, none of the loop's calls; that there is none is an accepted end",
        **{
            Broken(name, "nothing_after_cancel"): "a loop that does not hear the cancel here is "
            "silent for longer than the bench's patience; its end is what is not accepted"
            for name in (
                "cancel-between-two-attempts",
                "cancel-during-backoff",
                "cancel-in-a-silent-stream",
            )
        },
    }
)
"""Demanded checks that no mutant breaks in their scenario, and why none was made."""


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


def needless(scenarios: Sequence[Scenario], table: Sequence[Kill]) -> tuple[str, ...]:
    """Reasons that are given for what is proven by now, a line each."""
    scenes = set(UNPROVEN) - set(open_scenarios(scenarios, table))
    pairs = set(OPEN_PAIRS) - set(open_pairs(scenarios, table))
    places = (*sorted(scenes), *sorted(f"{pair.scenario}, {pair.check}" for pair in pairs))
    return tuple(f"{place}: a reason is given, and a mutant breaks it" for place in places)


def without_reason(scenarios: Sequence[Scenario], table: Sequence[Kill]) -> tuple[str, ...]:
    """Of what is open, scenarios and pairs, that which no reason is given for."""
    names = [name for name in open_scenarios(scenarios, table) if name not in UNPROVEN]
    pairs = [pair for pair in open_pairs(scenarios, table) if pair not in OPEN_PAIRS]
    return (*names, *(f"{pair.scenario}, {pair.check}" for pair in pairs))


def claims_without_proof(
    claims: Iterable[str], scenarios: Sequence[Scenario], table: Sequence[Kill]
) -> tuple[str, ...]:
    """Claims for which no mutant that names them breaks a scenario or drill that is about them."""
    about: Mapping[str, Sequence[str]] = {one.name: one.claims for one in scenarios}
    proven: set[str] = set()
    for kill in table:
        named = kill.mutant.claims if kill.mutant else ()
        broken = [about.get(one.scenario, ()) for one in kill.where]
        broken += [DRILLS[name].claims for name in kill.broken if name in DRILLS]
        proven |= set(named) & {claim for some in broken for claim in some}
    return tuple(claim for claim in claims if claim not in proven)


def _telling(table: Sequence[Kill]) -> list[Kill]:
    return [kill for kill in table if kill.mutant and not is_blunt(kill)]
