"""What a promise's test says of the plays of a lot."""

from __future__ import annotations

import pytest

from faultloop.bench.promise import Promise
from faultloop.reports.rows import CheckRecord, PlayRecord, Proof
from faultloop.scenarios.verdict import Verdict

HELD, BROKEN = Verdict.HELD, Verdict.BROKEN
UNKNOWN, NOT_APPLICABLE = Verdict.UNKNOWN, Verdict.NOT_APPLICABLE


def play(whole: Verdict, *checks: Verdict) -> PlayRecord:
    """A play with this verdict, and what `effects_once` found in it."""
    return PlayRecord(
        subject="reference",
        version="1",
        scenario="once",
        claims=("D2",),
        tier="sim",
        dialect="openai_chat",
        streaming=True,
        policy="",
        seed=7,
        repeat=0,
        verdict=whole,
        reason="why the play is what it is",
        end_reason="completed",
        faults_fired=(),
        replay="faultloop run once",
        stderr="",
        checks=tuple(
            CheckRecord(
                check="effects_once", claim="D2", verdict=verdict, proof=Proof(sentence="seen")
            )
            for verdict in checks
        ),
    )


OUTCOMES: list[tuple[list[PlayRecord], str]] = [
    ([play(HELD, HELD)], "passes"),
    ([play(HELD, HELD), play(BROKEN, BROKEN)], "fails"),
    ([play(HELD, HELD), play(UNKNOWN, UNKNOWN)], "fails"),
    ([play(HELD, HELD), play(UNKNOWN, HELD)], "passes"),
    ([play(UNKNOWN, HELD)], "is skipped"),
    ([play(HELD, NOT_APPLICABLE)], "is skipped"),
    ([play(UNKNOWN, NOT_APPLICABLE)], "is skipped"),
    ([play(NOT_APPLICABLE)], "is skipped"),
    ([], "is skipped"),
]


@pytest.mark.parametrize(("plays", "outcome"), OUTCOMES)
def test_only_plays_that_prove_something_make_a_promise_green(
    plays: list[PlayRecord], outcome: str
) -> None:
    said = "passes"
    try:
        Promise("reference", plays).must_hold("effects_once")
    except pytest.fail.Exception:
        said = "fails"
    except pytest.skip.Exception:
        said = "is skipped"
    assert said == outcome


def test_what_a_crash_of_the_bench_showed_is_not_held_against_the_subject() -> None:
    with pytest.raises(
        pytest.fail.Exception, match="effects_once \\(D2\\) is unknown in 1 of the 1"
    ):
        Promise("reference", [play(UNKNOWN, BROKEN)]).must_hold("effects_once")


def test_a_play_that_proves_nothing_is_one_failure_and_not_one_of_every_promise() -> None:
    promise = Promise("reference", [play(HELD, HELD), play(UNKNOWN, HELD)])
    promise.must_hold("effects_once")
    with pytest.raises(pytest.fail.Exception, match="1 of 2 plays prove nothing"):
        promise.must_be_known()
