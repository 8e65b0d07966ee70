"""What a number of tasks can show, beside published figures, statsmodels and simulation."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from faultloop.reports.accuracy.examined import examined
from faultloop.reports.accuracy.judging import judged
from faultloop.reports.accuracy.simulating import World, assumed, draw, paired
from faultloop.reports.accuracy.statistics.estimate import Estimate
from faultloop.reports.accuracy.statistics.power import (
    Design,
    detectable,
    detectable_seen,
    tasks_needed,
    tasks_needed_seen,
)
from faultloop.reports.accuracy.statistics.wilson import wilson


@pytest.mark.parametrize(
    ("tasks", "points"),
    [
        (50, (None, 17.3, 21.2)),
        (100, (8.8, 12.4, 15.2)),
        (200, (6.2, 8.8, 10.8)),
        (400, (4.4, 6.2, 7.6)),
        (1000, (2.8, 4.0, 4.8)),
    ],
)
def test_the_detectable_difference_is_that_of_the_table(
    tasks: int, points: tuple[float | None, ...]
) -> None:
    """McNemar with normal quantiles, at discordances of 10, 20 and 30 %."""
    for discordance, expected in zip((0.1, 0.2, 0.3), points, strict=True):
        found = detectable(tasks, Design(discordance))
        assert found == (None if expected is None else pytest.approx(expected / 100, abs=6e-4))


def test_the_tasks_needed_are_those_of_connor_1987() -> None:
    """Discordant 0.25 in all, difference 0.15: by his formula 85 pairs."""
    assert tasks_needed(0.15, Design(0.25)) == 85


@pytest.mark.parametrize("design", [Design(0.2), Design(0.25, 5, 0.3, 3.0, 0.2)])
def test_tasks_needed_and_detectable_are_two_ways_of_one_figure(design: Design) -> None:
    size = detectable(300, design)
    assert size is not None
    assert tasks_needed(size, design) in (300, 301)
    assert tasks_needed(0.0, design) is None
    assert tasks_needed(0.5, design) is None


def test_samples_and_clusters_change_what_is_needed_by_their_design_effect() -> None:
    assert Design(0.2, samples=4, sample_icc=0.0).variance == pytest.approx(0.05)
    assert Design(0.2, samples=4, sample_icc=1.0).variance == pytest.approx(0.2)
    assert Design(0.2, cluster_size=4, cluster_icc=1 / 3).variance == pytest.approx(0.4)


@pytest.mark.parametrize("tasks", [30, 200, 2000])
def test_what_was_detectable_is_that_of_the_paired_t_test(tasks: int) -> None:
    expected = TTestPower().solve_power(nobs=tasks, alpha=0.05, power=0.8)
    spread = 0.3
    seen = Estimate(centre=0.0, se=spread / sqrt(tasks), df=tasks - 1)
    assert detectable_seen(seen, tasks) == pytest.approx(
        max(expected * spread, 6 / tasks), rel=0.01
    )


def test_six_tasks_that_differ_are_the_least_that_can_be_detected() -> None:
    assert detectable_seen(Estimate(centre=0.0, se=1e-6, df=99), 100) == 0.06


def test_four_times_the_tasks_tell_half_the_difference() -> None:
    assert tasks_needed_seen(0.05, 0.1, 200) == 800
    assert tasks_needed_seen(-0.1, 0.1, 200) == 200
    assert tasks_needed_seen(0.0, 0.1, 200) is None


@pytest.mark.parametrize("world", [World(tasks=100), World(tasks=60, samples=3, sizes=(1, 3))])
def test_what_is_stated_before_is_reached_on_simulated_tasks(world: World) -> None:
    size = detectable(world.tasks, assumed(world))
    assert size is not None
    shifted = World(tasks=world.tasks, samples=world.samples, sizes=world.sizes, effect=size)
    drawn = draw(shifted, 300, np.random.default_rng(4))
    found = [
        judged([examined(paired(shifted, drawn, run), margin=0.0, seed=run)], margin=0.0)[0]
        for run in range(300)
    ]
    reached = sum(one.p < 0.05 for one in found) / 300
    assert (
        wilson(reached, 300, level=0.999).low < 0.8 < wilson(reached, 300, level=0.999).high + 0.03
    )
