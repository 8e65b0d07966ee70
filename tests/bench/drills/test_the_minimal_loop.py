"""The minimal loop must break on each classic failure, and by what the failure does to it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from faultloop.bench.drills.kit.drill import Untested
from faultloop.bench.drills.the_minimal_loop_breaks import CLASSICS, kept
from faultloop.reports.rows import CheckRecord, PlayRecord, Proof
from faultloop.scenarios.checks import CHECKS
from faultloop.scenarios.reading import catalogue
from faultloop.scenarios.verdict import Verdict

CUT, MISSPELT = "complete-arguments-of-a-cut-reply", "unknown-tool-is-explained"
CRASH = "killed-after-the-effect"
DIED = "accepted: completed, 0 effects; seen: error, 0 replies, error: ModuleNotFoundError: openai"


def play(
    scenario: str, *broken: str, verdict: Verdict = Verdict.BROKEN, sentence: str = DIED
) -> PlayRecord:
    """A row in which these checks were broken, all for the same reason."""
    checks: Sequence[CheckRecord] = [
        CheckRecord(check=check, claim="L1", verdict=verdict, proof=Proof(sentence=sentence))
        for check in broken
    ]
    return PlayRecord(
        subject="small",
        version="",
        scenario=scenario,
        claims=("L1",),
        tier="real",
        dialect="openai_chat",
        streaming=True,
        policy="",
        seed=1,
        repeat=0,
        verdict=verdict,
        reason=sentence,
        end_reason="error",
        faults_fired=(),
        replay="",
        stderr="",
        checks=tuple(checks),
    )


def test_every_classic_is_seen_by_checks_that_there_are_in_a_scenario_that_demands_them() -> None:
    scenarios = {scenario.name: scenario for scenario in catalogue()}
    for name, classic in CLASSICS.items():
        assert classic.seen_by, name
        assert set(classic.seen_by) <= set(scenarios[name].checks) & set(CHECKS), name


def test_an_end_that_is_not_accepted_tells_a_classic_only_by_what_it_quotes() -> None:
    vague = {name for name, classic in CLASSICS.items() if "end_acceptable" in classic.seen_by}
    assert vague == {name for name, classic in CLASSICS.items() if classic.quoting}


@pytest.mark.parametrize("scenario", CLASSICS)
def test_a_loop_that_dies_of_something_else_does_not_break_as_it_must(scenario: str) -> None:
    (said,) = kept([play(scenario, "end_acceptable")])
    assert said.startswith(f"the minimal loop small is not broken in {scenario} ")
    assert f", but {DIED}" in said


@pytest.mark.parametrize("scenario", CLASSICS)
def test_a_loop_that_breaks_by_the_classic_is_as_it_must_be(scenario: str) -> None:
    classic = CLASSICS[scenario]
    record = play(scenario, *classic.seen_by, sentence=f"no tool {classic.quoting!r}")
    assert list(kept([record])) == []


def test_one_check_of_two_is_not_enough() -> None:
    (said,) = kept([play(CRASH, "effects_once")])
    assert "(a crash after the effect) by unknown_outcome_told, but" in said


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (
            play(CUT, verdict=Verdict.HELD),
            [f"the minimal loop small is held in {CUT} (half arguments)"],
        ),
        (play(CUT, verdict=Verdict.NOT_APPLICABLE, sentence="it cannot be started again"), []),
        (
            play(CUT, verdict=Verdict.NOT_APPLICABLE, sentence=""),
            [f"the minimal loop small is not_applicable in {CUT} (half arguments)"],
        ),
        (play(MISSPELT, "end_acceptable", sentence="there is no tool 'readFile'"), []),
    ],
)
def test_a_classic_is_broken_or_says_why_it_does_not_apply(
    record: PlayRecord, said: list[str]
) -> None:
    assert list(kept([record])) == said


def test_a_classic_that_cannot_be_told_leaves_the_drill_unknown() -> None:
    with pytest.raises(Untested, match=f"{CUT}: the fault never fired"):
        list(kept([play(CUT, verdict=Verdict.UNKNOWN, sentence="the fault never fired")]))
