"""Every statistic, beside statsmodels or a worked example that was published."""

from __future__ import annotations

from itertools import product
from math import inf, pi, sqrt

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import permutation_test
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import ttost_paired

from faultloop.reports.accuracy.statistics.benjamini_hochberg import benjamini_hochberg
from faultloop.reports.accuracy.statistics.bonett_price import bonett_price
from faultloop.reports.accuracy.statistics.clustered import (
    cluster_sums,
    clustered,
    clustered_with_two_more,
)
from faultloop.reports.accuracy.statistics.halving import first_half
from faultloop.reports.accuracy.statistics.holm import holm
from faultloop.reports.accuracy.statistics.mcnemar import mcnemar, mid_p
from faultloop.reports.accuracy.statistics.order_flips import order_flips
from faultloop.reports.accuracy.statistics.sign_flip import sign_flip, size
from faultloop.reports.accuracy.statistics.tost import tost
from faultloop.reports.accuracy.statistics.wilson import clustered_wilson, wilson

PS = [0.0001, 0.004, 0.0121, 0.03, 0.031, 0.2, 0.9, 0.03]


def drawn(seed: int, tasks: int = 60, groups: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Differences in fifths, and clusters of unequal size."""
    generator = np.random.default_rng(seed)
    clusters = generator.integers(0, groups, tasks)
    return generator.integers(-5, 6, tasks) / 5 + 0.1 * (clusters % 3), clusters


@pytest.mark.parametrize(("right", "of"), [(0, 10), (7, 10), (194, 200), (10, 10)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_wilson_is_that_of_statsmodels(right: int, of: int, level: float) -> None:
    expected = proportion_confint(right, of, 1 - level, method="wilson")
    assert wilson(right / of, of, level=level) == pytest.approx(expected, abs=1e-12)


def test_clustered_wilson_of_tasks_asked_once_is_wider_than_wilson_by_a_hair() -> None:
    rates = np.array([1.0] * 160 + [0.0] * 40)
    plain = wilson(0.8, 200)
    nested = clustered_wilson(rates, np.arange(200), 200)
    assert nested == pytest.approx(plain, abs=0.001)
    assert nested.high - nested.low > plain.high - plain.low


def test_clustered_wilson_does_not_take_samples_of_one_task_for_many() -> None:
    always = clustered_wilson(np.ones(20), np.arange(20), 20 * 1000)
    assert always == wilson(1.0, 20)


@pytest.mark.parametrize(
    ("gained", "lost", "tasks", "centre", "se"),
    [(26, 4, 48, 0.44, 0.09448809), (64, 5, 100, 0.5784314, 0.05953213)],
)
def test_bonett_price_is_what_its_authors_publish(
    gained: int, lost: int, tasks: int, centre: float, se: float
) -> None:
    """Bonett's R packages: statpsych `ci.prop.ps(.05, 12, 4, 26, 6)`, vcmeta `se.prop.ps`."""
    found = bonett_price(gained, lost, tasks)
    assert found.centre == pytest.approx(centre, abs=5e-8)
    assert found.se == pytest.approx(se, abs=5e-9)
    if tasks == 48:
        assert found.interval() == pytest.approx((0.2548067, 0.6251933), abs=5e-8)


@pytest.mark.parametrize("seed", range(6))
def test_the_clustered_error_is_that_of_statsmodels(seed: int) -> None:
    values, clusters = drawn(seed)
    fitted = sm.OLS(values, np.ones(values.size)).fit(
        cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True
    )
    found = clustered(values, clusters)
    assert found.centre == pytest.approx(fitted.params[0])
    assert found.se == pytest.approx(fitted.bse[0])
    assert found.interval() == pytest.approx(tuple(fitted.conf_int()[0]))


def test_tasks_that_are_clusters_of_their_own_give_the_paired_t_interval() -> None:
    values, _ = drawn(1)
    found = clustered(values, np.arange(values.size))
    assert found.se == pytest.approx(values.std(ddof=1) / sqrt(values.size))
    assert found.df == values.size - 1


def test_one_cluster_says_nothing() -> None:
    found = clustered(np.array([0.0, 1.0, 1.0]), np.zeros(3, dtype=np.int64))
    assert found.se == inf
    assert found.interval() == (-1.0, 1.0)
    assert found.p_above(-0.5) == 1.0


def test_no_variance_has_width_once_two_tasks_are_added() -> None:
    same = np.zeros(50)
    clusters = np.arange(50)
    assert clustered(same, clusters).interval() == (0.0, 0.0)
    added = clustered_with_two_more(same, clusters)
    assert added.se == pytest.approx(bonett_price(0, 0, 50).se, rel=0.02)


@pytest.mark.parametrize(
    ("gained", "lost"), [(13, 3), (3, 13), (0, 0), (5, 5), (1, 0), (0, 6), (40, 61)]
)
def test_mcnemar_is_that_of_statsmodels(gained: int, lost: int) -> None:
    expected = mcnemar_of_statsmodels([[0, gained], [lost, 0]], exact=True).pvalue
    assert mcnemar(gained, lost) == pytest.approx(1.0 if gained == lost else expected)


def test_mcnemar_of_13_and_3_is_the_published_figure() -> None:
    assert mcnemar(13, 3) == pytest.approx(0.02127, abs=5e-6)


def test_the_mid_p_takes_half_of_what_was_seen() -> None:
    """Fagerland, Lydersen and Laake 2013, table 2: 1 and 7 of 21, exact 0.0703, mid-p 0.0391."""
    assert mcnemar(1, 7) == pytest.approx(0.0703, abs=5e-5)
    assert mid_p(1, 7) == pytest.approx(0.0391, abs=5e-5)


def test_the_exact_test_keeps_below_its_level_and_says_by_how_much() -> None:
    assert size(np.ones(5)) == 0.0
    assert size(np.ones(6)) == pytest.approx(2 / 64)
    sums = np.array([0.2 * one for one in range(1, 9)])
    ps = [sign_flip(sums * signs, seed=0).p for signs in product((-1, 1), repeat=sums.size)]
    assert size(sums) == pytest.approx(np.mean([p < 0.05 for p in ps]))
    with pytest.raises(ValueError, match="on no lattice"):
        size(sums * pi)


@pytest.mark.parametrize(("gained", "lost"), [(13, 3), (6, 0), (5, 0), (4, 4), (30, 51)])
def test_the_sign_flip_of_tasks_asked_once_is_mcnemar(gained: int, lost: int) -> None:
    sums = np.array([1.0] * gained + [-1.0] * lost + [0.0] * 20)
    assert sign_flip(sums, seed=0) == (pytest.approx(mcnemar(gained, lost)), None)


@pytest.mark.parametrize("seed", range(4))
def test_the_sign_flip_is_the_permutation_test_of_scipy(seed: int) -> None:
    values, clusters = drawn(seed, tasks=30, groups=11)
    sums = cluster_sums(values, clusters)
    expected = permutation_test(
        (sums,), np.sum, permutation_type="samples", n_resamples=np.inf, vectorized=False
    )
    found = sign_flip(sums, seed=0)
    assert found.draws is None
    assert found.p == pytest.approx(expected.pvalue)


def test_sums_on_no_lattice_are_drawn_and_come_near() -> None:
    values, clusters = drawn(3, tasks=40, groups=14)
    sums = cluster_sums(values, clusters)
    found = sign_flip(sums * pi, seed=1, draws=40_000)
    assert found.draws == 40_000
    assert found.p == pytest.approx(sign_flip(sums, seed=1).p, abs=0.01)
    assert found == sign_flip(sums * pi, seed=1, draws=40_000)


def test_fewer_than_six_that_differ_never_reach_the_level() -> None:
    assert sign_flip(np.array([0.2, 0.4, 0.4, 1.0, 0.6]), seed=0).p == pytest.approx(2 / 2**5)
    assert sign_flip(np.array([0.2, 0.4, 0.4, 1.0, 0.6, 0.2]), seed=0).p == pytest.approx(2 / 2**6)


def test_a_sum_that_is_far_out_keeps_the_smallest_p_that_is_possible() -> None:
    assert sign_flip(np.ones(30), seed=0).p == pytest.approx(2.0**-29)
    assert 0 < sign_flip(np.ones(2000), seed=0).p <= 1e-12


def test_holm_and_benjamini_hochberg_are_those_of_statsmodels() -> None:
    assert [one.p for one in holm(PS)] == pytest.approx(multipletests(PS, method="holm")[1])
    assert benjamini_hochberg(PS) == pytest.approx(multipletests(PS, method="fdr_bh")[1])


def test_holm_gives_the_level_of_each_step() -> None:
    levels = [one.level for one in holm([0.02, 0.001, 0.5])]
    assert levels == pytest.approx([1 - 0.05 / 2, 1 - 0.05 / 3, 1 - 0.05])


@pytest.mark.parametrize("margin", [0.02, 0.1, 0.4])
def test_tost_is_that_of_statsmodels(margin: float) -> None:
    values, _ = drawn(5)
    base = np.zeros(values.size)
    p, lower, upper = ttost_paired(values, base, -margin, margin)
    found = tost(clustered(values, np.arange(values.size)), margin)
    assert found.p_no_worse == pytest.approx(lower[1])
    assert found.p_no_better == pytest.approx(upper[1])
    assert found.p_equivalent == pytest.approx(p)


def test_the_interval_excludes_the_margin_where_the_test_does() -> None:
    values, clusters = drawn(2)
    estimate = clustered(values, clusters)
    low = estimate.interval(0.9).low
    assert estimate.p_above(low) == pytest.approx(0.05)


def test_no_margin_claims_nothing() -> None:
    assert tost(bonett_price(0, 0, 10_000), 0.0) == (1.0, 1.0)


def test_halves_keep_clusters_whole_and_follow_from_seed_and_name_alone() -> None:
    clusters = np.array([0, 0, 0, 1, 2, 2, 3, 4, 5, 5])
    half = first_half(clusters, "abcdef", seed=1)
    assert all(np.unique(half[clusters == one]).size == 1 for one in range(6))
    assert 3 <= half.sum() <= 7
    renamed = first_half(5 - clusters, "fedcba", seed=1)
    assert (renamed == half).all()
    assert any((first_half(clusters, "abcdef", seed=seed) != half).any() for seed in range(5))


def test_order_flips_are_pairs_of_askings_that_chose_differently() -> None:
    # task 0: the same in both orders; task 1: flipped; task 2: chance, not order; task 3: one order
    tasks = np.array([0, 0, 1, 1, 2, 2, 2, 2, 3, 3])
    orders = np.array([0, 1, 0, 1, 0, 0, 1, 1, 0, 0])
    choices = np.array([7, 7, 7, 8, 7, 8, 7, 8, 7, 8])
    found = order_flips(tasks, orders, choices, 4)
    assert found.across == pytest.approx([0.0, 1.0, 0.5, np.nan], nan_ok=True)
    assert found.within == pytest.approx([np.nan, np.nan, 1.0, 1.0], nan_ok=True)
