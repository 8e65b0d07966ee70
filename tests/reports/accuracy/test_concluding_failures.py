"""Failures count as wrong; where that decides the verdict, its sentence says so."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from tests.reports.accuracy.observed import once, table

from faultloop.reports.accuracy.concluding import conclude
from faultloop.reports.accuracy.conclusion import Difference, Verdict
from faultloop.scenarios.wordings.observation import Observation

RESTS = "The verdict rests on failures, which count as wrong: of what was answered under both"


def failing(
    observations: list[Observation], wording: str, fails: Callable[[int], bool]
) -> list[Observation]:
    """The same where these tasks of one wording got no answer."""
    return [
        msgspec.structs.replace(one, failure="timeout", selected=False, chosen="(no answer)")
        if one.wording == wording and fails(int(one.task[1:]))
        else one
        for one in observations
    ]


def headline(observations: list[Observation], *candidates: str, margin: float = 0.0) -> Difference:
    named = candidates or ("b",)
    return conclude(observations, base="a", candidates=named, margin=margin).headline


@pytest.mark.parametrize("samples", [1, 3])
def test_a_difference_that_is_of_failures_alone_says_so(samples: int) -> None:
    rows = {name: [[1] * samples] * 60 for name in ("a", "b")}
    found = headline(failing(table(rows), "b", lambda task: task % 2 == 0))
    assert found.verdict is Verdict.WORSE
    assert found.says.endswith(f"{RESTS} (30 tasks, 0.0 points) it is ‘cannot tell’.")


def test_where_no_task_was_answered_under_both_the_verdict_is_of_failures() -> None:
    half = failing(table(dict.fromkeys("ab", [[1]] * 50)), "a", lambda task: task >= 40)
    found = headline(failing(half, "b", lambda task: task < 40))
    assert found.verdict is Verdict.WORSE
    assert found.without_failures is Verdict.CANNOT_TELL
    assert found.says.endswith("count as wrong: no task was answered under both.")


def test_a_candidate_that_is_better_where_it_answers_says_so() -> None:
    lost = failing(once(20, 0, 40), "b", lambda task: task >= 40)
    found = headline(lost)
    assert found.verdict is Verdict.CANNOT_TELL
    assert found.says.endswith(f"{RESTS} (40 tasks, +50.0 points) it is ‘better’.")


def test_failures_that_decide_nothing_are_left_to_the_notes() -> None:
    assert RESTS not in headline(once(0, 30, 30)).says
    worse_anyway = headline(failing(once(0, 30, 30), "b", lambda task: task >= 55))
    assert worse_anyway.verdict is Verdict.WORSE
    assert RESTS not in worse_anyway.says
    nothing_answered = headline(failing(once(0, 0, 30), "b", lambda task: True))
    assert nothing_answered.verdict is Verdict.CANNOT_TELL
    assert RESTS not in nothing_answered.says


def test_the_winner_on_the_other_half_says_so_as_well() -> None:
    rows = {"a": [[0], [1]] * 60, "b": [[1], [1]] * 60, "c": [[0], [0]] * 60}
    assert RESTS not in headline(table(rows), "b", "c").says
    base_fails = {**rows, "a": [[1], [1]] * 60}
    found = headline(failing(table(base_fails), "a", lambda task: task % 2 == 0), "b", "c")
    assert (found.held_out, found.verdict) == (True, Verdict.BETTER)
    assert found.says.endswith("it is ‘cannot tell’.")
