"""Conclusions: verdicts, what mirrors, what changes nothing, and what is never claimed."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reports.accuracy.observed import asked, once, table

from faultloop.reports.accuracy.concluding import conclude
from faultloop.reports.accuracy.conclusion import Conclusions, Difference, Verdict
from faultloop.reports.accuracy.statistics.power import Design, tasks_needed
from faultloop.scenarios.wordings.observation import Observation


def concluded(observations: list[Observation], **more: Any) -> Conclusions:
    return conclude(observations, **{"base": "a", "candidates": ["b"], **more})


def headline(observations: list[Observation], **more: Any) -> Difference:
    return concluded(observations, **more).headline


# The verdicts.


def test_13_gained_and_3_lost_is_better_by_exact_mcnemar() -> None:
    found = headline(once(13, 3, 64))
    assert found.verdict is Verdict.BETTER
    assert found.p == pytest.approx(0.02127, abs=5e-6)
    assert (found.p_method, found.interval_method) == ("exact McNemar", "Bonett-Price")
    assert found.difference == pytest.approx(10 / 80)
    assert found.interval.low > 0
    assert (found.gained, found.lost, found.tasks, found.clusters) == (13, 3, 80, 80)
    assert found.says == (
        "‘b’ is better than ‘a’: the right tool was chosen in 96.2 % against 83.8 % of 80 "
        "tasks, a difference of +12.5 points (95 % interval +2.4 to +22.0; p = 0.021)."
    )


def test_a_loss_is_worse_and_a_small_one_within_the_margin_is_no_worse() -> None:
    observations = once(30, 80, 4000)
    assert headline(observations).verdict is Verdict.WORSE
    within = headline(observations, margin=0.03)
    assert within.verdict is Verdict.NO_WORSE
    assert "within the margin of 3 points, though certainly worse by less" in within.says
    assert headline(observations, margin=0.01).verdict is Verdict.WORSE


def test_no_worse_needs_a_margin_that_was_declared() -> None:
    observations = once(10, 10, 980)
    assert headline(observations).verdict is Verdict.CANNOT_TELL
    assert headline(observations, margin=0.02).verdict is Verdict.NO_WORSE
    assert headline(observations, margin=0.005).verdict is Verdict.CANNOT_TELL


def test_what_cannot_be_told_says_how_many_tasks_would_tell() -> None:
    found = headline(once(14, 6, 140))
    assert found.verdict is Verdict.CANNOT_TELL
    assert found.interval.low < 0 < found.difference
    assert found.tasks_needed is not None
    assert found.tasks_needed == pytest.approx(tasks_needed(0.05, Design(20 / 160)), rel=0.07)
    assert "a difference as small as this one takes about 420" in found.says


def test_with_a_margin_it_is_said_how_many_tasks_would_tell_no_worse() -> None:
    found = headline(once(40, 44, 416), margin=0.02)
    assert found.verdict is Verdict.CANNOT_TELL
    assert found.says.endswith("About 7,300 would tell no worse within 2 points.")
    many = headline(once(15 * 40, 15 * 44, 15 * 416), margin=0.02)
    assert many.verdict is Verdict.NO_WORSE


def test_five_that_differ_all_in_one_direction_cannot_tell() -> None:
    found = headline(once(5, 0, 20))
    assert found.verdict is Verdict.CANNOT_TELL
    assert "5 of 25 tasks came out differently; fewer than 6 can never tell" in found.says


def test_one_cluster_cannot_tell() -> None:
    rows = {"a": [[0]] * 50, "b": [[1]] * 50}
    found = headline(table(rows, cluster_size=50))
    assert found.verdict is Verdict.CANNOT_TELL
    assert found.interval == (-1.0, 1.0)
    assert "All tasks are of one cluster" in found.says


@pytest.mark.parametrize(("gained", "lost", "margin"), [(30, 3, 0.0), (3, 30, 0.0), (3, 3, 0.2)])
def test_a_part_of_a_run_has_figures_and_no_verdict(gained: int, lost: int, margin: float) -> None:
    observations = once(gained, lost, 200)
    whole = concluded(observations, margin=margin)
    part = concluded(observations, margin=margin, is_whole=False)
    assert whole.verdict is not Verdict.CANNOT_TELL
    assert {one.verdict for one in part.differences} == {Verdict.CANNOT_TELL}
    assert {one.difference.verdict for one in part.slices} == {Verdict.CANNOT_TELL}
    assert "The run was stopped" in part.headline.says
    assert (part.headline.p, part.headline.interval) == (whole.headline.p, whole.headline.interval)


def test_a_wording_that_was_never_answered_is_not_called_worse() -> None:
    failed = [
        msgspec.structs.replace(one, failure="timeout", selected=False, chosen="(no answer)")
        if one.wording == "b"
        else one
        for one in once(0, 0, 60)
    ]
    found = concluded(failed)
    assert found.headline.p < 0.001
    assert found.verdict is Verdict.CANNOT_TELL
    assert "Under ‘b’ nothing was answered at all" in found.headline.says
    assert [(one.wording, one.failure, one.count) for one in found.failures] == [
        ("b", "timeout", 60)
    ]
    assert any("60 of 60 (100.0 %) under ‘b’" in note for note in found.notes)


@pytest.mark.parametrize("margin", [0.0, 0.05])
@pytest.mark.parametrize("samples", [1, 3])
@pytest.mark.parametrize("cluster_size", [1, 4])
def test_a_wording_beside_itself_cannot_be_told(
    margin: float, samples: int, cluster_size: int
) -> None:
    chance = random.Random(5)
    rows = [[chance.random() < 0.7 for _ in range(samples)] for _ in range(200)]
    found = headline(table({"a": rows, "b": rows}, cluster_size=cluster_size), margin=margin)
    assert found.verdict is Verdict.CANNOT_TELL
    assert (found.difference, found.p, found.gained, found.lost) == (0.0, 1.0, 0, 0)
    assert found.interval.low < 0 < found.interval.high
    assert "No task came out differently" in found.says


# What is nested counts once.


def test_samples_are_nested_in_tasks_and_tasks_in_clusters() -> None:
    chance = random.Random(3)
    rows = {
        name: [[chance.random() < rate for _ in range(5)] for _ in range(60)]
        for name, rate in (("a", 0.5), ("b", 0.6))
    }
    found = headline(table(rows, cluster_size=3))
    differences = np.mean(rows["b"], axis=1) - np.mean(rows["a"], axis=1)
    fitted = sm.OLS(differences, np.ones(60)).fit(
        cov_type="cluster", cov_kwds={"groups": np.arange(60) // 3}, use_t=True
    )
    assert found.interval == pytest.approx(tuple(fitted.conf_int()[0]))
    assert found.clusters == 20
    assert found.interval_method == "t over clusters of alike tasks"
    assert found.p_method == "sign-flip permutation, exact"


def test_orders_are_averaged_in_the_task() -> None:
    observations = [
        asked(wording, f"t{task}", hit, order=order)
        for task in range(30)
        for wording, hits in (("a", (1, 0)), ("b", (1, task % 2)))
        for order, hit in enumerate(hits)
    ]
    found = concluded(observations)
    assert found.headline.difference == pytest.approx(0.25)
    assert found.headline.tasks == found.headline.clusters == 30
    assert [one.flip_rate for one in found.orders] == [1.0, 0.5]
    assert found.orders[1].same_order_rate is None
    assert found.orders[0].rates == (1.0, 0.0)


def test_repeats_of_a_deterministic_model_are_no_samples() -> None:
    observations = once(13, 3, 64)
    again = [msgspec.structs.replace(one, sample=1, is_repeat=True) for one in observations]
    found = concluded(observations + again)
    assert found.headline == headline(observations)
    assert found.rates[0].samples == 80
    assert found.spent[0].askings == 160
    assert any("160 askings repeat a question" in note for note in found.notes)


# What changes nothing, and what mirrors.

ROWS = st.integers(1, 3).flatmap(
    lambda samples: st.lists(
        st.tuples(*[st.lists(st.integers(0, 1), min_size=samples, max_size=samples)] * 2),
        min_size=2,
        max_size=40,
    )
)
MIRRORED = {
    Verdict.BETTER: Verdict.WORSE,
    Verdict.WORSE: Verdict.BETTER,
    Verdict.CANNOT_TELL: Verdict.CANNOT_TELL,
}


@settings(max_examples=60, deadline=None)
@given(ROWS, st.integers(1, 4))
def test_swapping_base_and_candidate_mirrors_everything(
    rows: list[tuple[list[int], list[int]]], cluster_size: int
) -> None:
    observations = table(
        {"a": [one for one, _ in rows], "b": [one for _, one in rows]}, cluster_size=cluster_size
    )
    here = headline(observations)
    there = headline(observations, base="b", candidates=["a"])
    assert there.difference == pytest.approx(-here.difference)
    assert there.interval == pytest.approx((-here.interval.high, -here.interval.low))
    assert there.p == pytest.approx(here.p)
    assert (there.gained, there.lost) == (here.lost, here.gained)
    assert there.detectable == pytest.approx(here.detectable)
    assert there.verdict is MIRRORED[here.verdict]


@settings(max_examples=60, deadline=None)
@given(ROWS, st.integers(1, 4), st.floats(0, 0.2))
def test_a_verdict_never_contradicts_its_interval_or_its_p(
    rows: list[tuple[list[int], list[int]]], cluster_size: int, margin: float
) -> None:
    observations = table(
        {"a": [one for one, _ in rows], "b": [one for _, one in rows]}, cluster_size=cluster_size
    )
    found = headline(observations, margin=margin)
    if found.verdict is Verdict.BETTER:
        assert found.interval_corrected.low > 0
        assert found.p_corrected < 0.05
        assert found.gained >= found.lost or found.difference > 0
    if found.verdict is Verdict.WORSE:
        assert found.interval_corrected.high < 0
        assert found.p_corrected < 0.05
    if found.verdict is Verdict.NO_WORSE:
        assert found.p_no_worse < 0.05
        assert found.margin > 0


def test_the_order_of_rows_changes_nothing() -> None:
    chance = random.Random(1)
    observations = [
        asked(
            wording,
            f"t{task}",
            chance.random() < 0.6,
            filled=None,
            order=order,
            sample=sample,
            cluster=f"c{task % 11}",
            expected=("read", "list")[task % 2],
        )
        for wording in "abc"
        for task in range(44)
        for order in range(2)
        for sample in range(2)
    ]
    shuffled = observations.copy()
    chance.shuffle(shuffled)
    assert concluded(observations, candidates=["b", "c"]) == concluded(
        shuffled, candidates=["b", "c"]
    )


def test_a_cluster_for_each_task_is_the_same_as_none() -> None:
    observations = table({"a": [[0, 1]] * 20 + [[1, 1]] * 9, "b": [[1, 1]] * 15 + [[0, 1]] * 14})
    unnamed = [msgspec.structs.replace(one, cluster="") for one in observations]
    found = headline(observations)
    assert found == headline(unnamed)
    assert found.interval_method == "t over tasks"


# Arguments, which are known of some tasks only.


def filled(wording: str, task: int, selected: int, right: int) -> Observation:
    return asked(wording, f"t{task:03}", selected, filled=bool(right) if selected else None)


def test_arguments_are_paired_only_where_both_chose_the_right_tool() -> None:
    observations = [
        *(filled("a", task, task < 60, task % 2) for task in range(100)),
        *(filled("b", task, task >= 20, 1) for task in range(100)),
    ]
    found = concluded(observations)
    arguments = next(one for one in found.differences if one.metric == "arguments")
    assert (arguments.tasks, arguments.gained, arguments.lost) == (40, 20, 0)
    assert "only tasks where both chose the right tool" in arguments.interval_method
    assert any("40 of 100 tasks, those where both led to the right" in one for one in found.notes)
    rates = {(one.wording, one.metric): one for one in found.rates}
    assert rates["a", "arguments"].tasks == 60
    assert rates["a", "right"].rate == pytest.approx(0.3)
    assert rates["a", "selection"].rate == pytest.approx(0.6)


def test_where_no_task_has_both_right_tools_arguments_are_said_not_to_be_compared() -> None:
    alone = [filled("a", task, task < 10, 1) for task in range(20)]
    other = [filled("b", task, task >= 10, 1) for task in range(20)]
    notes = concluded([*alone, *other]).notes
    assert any("are not compared: there is no task where both led" in note for note in notes)


def test_arguments_that_nobody_came_to_are_not_said_to_be_left_out_of_what_is_right() -> None:
    never = [filled(wording, task, 0, 0) for wording in "ab" for task in range(20)]
    notes = concluded(never).notes
    assert any("No asking led to the right tool" in one for one in notes)
    assert not any("so right means" in one for one in notes)


def test_a_model_that_gives_no_arguments_is_not_judged_by_them() -> None:
    found = concluded(once(9, 1, 90))
    assert found.metrics == ("right", "selection")
    assert any("No arguments were put to the test" in note for note in found.notes)
