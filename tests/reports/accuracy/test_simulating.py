"""Simulated worlds hold what they say, and what is judged of them is what users get."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from tests.reports.accuracy.observed import asked

from faultloop.reports.accuracy.concluding import conclude
from faultloop.reports.accuracy.examined import examined
from faultloop.reports.accuracy.judging import judged
from faultloop.reports.accuracy.simulating import World, assumed, chances, draw, paired

SETS = World(tasks=60, samples=3, sizes=(1, 2, 5), cluster=0.3, own_cluster=0.2, effect=0.1)


def test_the_effect_is_exact_and_without_one_the_arms_are_alike() -> None:
    many = World(tasks=40_000, effect=0.1)
    base, candidate = chances(many, 1, np.random.default_rng(0))[:, 0]
    assert base.mean() == pytest.approx(0.75, abs=0.01)
    assert candidate.mean() == pytest.approx(0.85, abs=0.01)


def test_tasks_of_a_cluster_differ_alike_and_others_do_not() -> None:
    alike = assumed(SETS)
    assert alike.cluster_icc > 0.1
    assert alike.cluster_size == pytest.approx((1 + 4 + 25) / 8, rel=0.01)
    assert assumed(World(tasks=60)).cluster_icc == 0.0


@pytest.mark.parametrize("world", [World(tasks=80, effect=0.1), SETS])
def test_a_simulated_comparison_is_judged_as_its_observations_are(world: World) -> None:
    drawn = draw(world, 1, np.random.default_rng(2))
    here = judged([examined(paired(world, drawn, 0), margin=0.05, seed=0)], margin=0.05)[0]
    observations = [
        asked(
            wording,
            f"t{task:03}",
            sample < round(float(drawn[arm, 0, task]) * world.samples),
            sample=sample,
            cluster=f"c{cluster:03}",
        )
        for arm, wording in enumerate("ab")
        for task, cluster in enumerate(world.clusters)
        for sample in range(world.samples)
    ]
    there = conclude(
        observations, base="a", candidates=["b"], metrics=["selection"], margin=0.05
    ).headline
    assert msgspec.structs.asdict(here) == msgspec.structs.asdict(there)
