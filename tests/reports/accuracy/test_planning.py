"""What is said before a run."""

from __future__ import annotations

import pytest

from faultloop.reports.accuracy.planning import prospect_says, prospects


def test_tasks_asked_once_show_what_the_table_says() -> None:
    clusters = [f"t{task}" for task in range(200)]
    assert [one.detectable for one in prospects(clusters)] == pytest.approx(
        [0.062, 0.088, 0.108], abs=6e-4
    )
    assert prospect_says(clusters) == (
        "200 tasks, asked once, show in four runs of five a difference of 6.2 points where 10 % "
        "come out differently, 8.8 points where 20 % come out differently and 10.8 points where "
        "30 % come out differently."
    )


def test_shared_tool_sets_cost_and_samples_gain() -> None:
    alone = [f"t{task}" for task in range(200)]
    shared = [f"c{task // 10}" for task in range(200)]
    for one, clustered, sampled in zip(
        prospects(alone), prospects(shared), prospects(alone, samples=5), strict=True
    ):
        assert clustered.detectable is None or clustered.detectable > (one.detectable or 1)
        assert sampled.detectable is not None
        assert one.detectable is not None
        assert sampled.detectable < one.detectable


def test_fewer_than_six_can_never_tell() -> None:
    assert prospect_says(["a", "b"]) == (
        "2 tasks, asked once, can never tell: at least 6 must come out differently. Add tasks."
    )
    assert "of 2 clusters, asked once, can never tell: at least 6 clusters" in prospect_says(
        ["a", "a", "a", "b", "b", "b", "b"]
    )


def test_too_few_tasks_show_nothing() -> None:
    assert prospect_says(["a", "b", "c", "d", "e", "f"]) == (
        "6 tasks, asked once, are too few to show anything in four runs of five, unless more than "
        "30 % come out differently."
    )
