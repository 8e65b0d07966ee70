"""Which scenarios apply to which columns, and the reason that is shown where one does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple, get_args

import pytest

from faultloop.fakes.world.spec import WorldSpec
from faultloop.scenarios.applicable import NEEDS, why_not
from faultloop.scenarios.scenario import Accept, Requirement, Scenario, StepLine
from faultloop.scenarios.subject import Capabilities, Column

NO_MEMORY = Capabilities(tier="real", resume="rerun", cancel="none")
BARE = Capabilities(tier="real", resume="none", cancel="none")
GEMINI = replace(BARE, dialects=("gemini",))
STREAMED = Column(streaming=True)
WHOLE = Column(streaming=False)


def scenario(**fields: Any) -> Scenario:
    """A scenario that applies to every column, but for what is said otherwise."""
    said: dict[str, Any] = {
        "schema": 1,
        "name": "any",
        "claim": "It holds.",
        "claims": ("L1",),
        "checks": ("end_acceptable",),
        "world": WorldSpec(files={}),
        "input": "Hello.",
        "script": (StepLine(say="Hello."),),
        "accept": (Accept(effects=0),),
        "max_requests": 4,
    }
    return Scenario(**(said | fields))


class Case(NamedTuple):
    """A requirement, who meets it, and who does not."""

    met_by: tuple[Capabilities, Column]
    not_met_by: tuple[Capabilities, Column]


CASES: dict[Requirement, Case] = {
    "streaming": Case((BARE, STREAMED), (BARE, WHOLE)),
    "whole": Case((BARE, WHOLE), (BARE, STREAMED)),
    "restart": Case((NO_MEMORY, WHOLE), (BARE, WHOLE)),
    "memory": Case(
        (replace(BARE, resume="session"), WHOLE), (replace(BARE, resume="rerun"), WHOLE)
    ),
    "cancel": Case((replace(BARE, cancel="sigint"), WHOLE), (BARE, WHOLE)),
    "control": Case((replace(BARE, control="stdin"), WHOLE), (BARE, WHOLE)),
    "goals": Case((replace(BARE, goals=True), WHOLE), (BARE, WHOLE)),
    "keys": Case((replace(BARE, keys=True), WHOLE), (BARE, WHOLE)),
    "own_commands": Case((replace(BARE, commands="own"), WHOLE), (BARE, WHOLE)),
    "malformed_calls": Case((GEMINI, Column(dialect="gemini")), (BARE, WHOLE)),
    "journal": Case((replace(BARE, journal=True), WHOLE), (BARE, WHOLE)),
}


def test_every_requirement_has_a_case_and_a_sentence() -> None:
    assert set(CASES) == set(NEEDS) == set(get_args(Requirement))


@pytest.mark.parametrize("requirement", CASES)
def test_a_requirement_lets_through_exactly_who_meets_it(requirement: Requirement) -> None:
    wanting = scenario(requires=(requirement,))
    case = CASES[requirement]
    assert why_not(wanting, *case.met_by) is None
    assert why_not(wanting, *case.not_met_by) == NEEDS[requirement].sentence


def test_without_requirements_everybody_plays() -> None:
    assert why_not(scenario(), BARE, WHOLE) is None
    assert why_not(scenario(), BARE, STREAMED) is None


def test_in_sim_every_subject_takes_input_while_it_runs() -> None:
    assert why_not(scenario(requires=("control",)), replace(BARE, tier="sim"), WHOLE) is None


@pytest.mark.parametrize(
    ("tier", "subject_tier", "applies"),
    [
        ("both", "sim", True),
        ("both", "real", True),
        ("sim", "sim", True),
        ("real", "real", True),
        ("sim", "real", False),
        ("real", "sim", False),
    ],
)
def test_tiers_are_never_mixed(tier: str, subject_tier: Any, applies: bool) -> None:
    reason = why_not(scenario(tier=tier), replace(BARE, tier=subject_tier), WHOLE)
    assert (reason is None) is applies
    if reason is not None:
        assert reason == f"the scenario is for the {tier} tier, this subject is {subject_tier}"


def test_a_column_that_the_subject_does_not_have_is_named() -> None:
    whole_only = replace(BARE, streaming=(False,))
    other = Column(dialect="gemini", streaming=False)
    assert why_not(scenario(), whole_only, STREAMED) == "the subject does not stream"
    assert why_not(scenario(), BARE, other) == "the subject does not speak gemini"


def test_a_preset_that_promises_otherwise_is_left_out_and_strangers_are_not() -> None:
    kept = scenario(differs={"codex": "it does so at once."})
    assert why_not(kept, replace(BARE, policy="pi"), WHOLE) is None
    assert why_not(kept, BARE, WHOLE) is None
    assert why_not(kept, replace(BARE, policy="codex"), WHOLE) == (
        "the policy codex promises otherwise: it does so at once."
    )
