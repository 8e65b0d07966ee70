"""The estimate and the test of pairs, before any correction and any verdict.

Asked once under each wording, each task a cluster of its own: Bonett and Price's interval and
McNemar's exact test. Else: the mean of the tasks' differences with a clustered error, and the
sign-flip test of the clusters' sums. Where fewer than six clusters differ, the clustered interval
is made with two more tasks, one gained and one lost, since its error would be nearly nothing; p is
above 0.05 there anyway.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from faultloop.reports.accuracy.conclusion import Metric
from faultloop.reports.accuracy.pairing import SAME, Paired
from faultloop.reports.accuracy.statistics.bonett_price import bonett_price
from faultloop.reports.accuracy.statistics.clustered import (
    cluster_sums,
    clustered,
    clustered_with_two_more,
)
from faultloop.reports.accuracy.statistics.estimate import Estimate
from faultloop.reports.accuracy.statistics.mcnemar import mcnemar
from faultloop.reports.accuracy.statistics.power import DISCORDANT_MIN
from faultloop.reports.accuracy.statistics.sign_flip import sign_flip
from faultloop.reports.accuracy.statistics.tost import Tost, tost


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """Pairs with all that is computed of them before any correction."""

    paired: Paired
    clusters: int
    differing: int
    """Clusters whose tasks differ in sum."""
    estimate: Estimate
    method: str
    """Of the interval."""
    p: float
    p_method: str
    against_margin: Tost

    @property
    def is_judged(self) -> bool:
        """Whether any verdict but `cannot tell` may be said."""
        paired = self.paired
        moved = bool(paired.gained or paired.lost)
        return paired.is_whole and moved and self.clusters > 1 and not paired.unanswered


def examined(paired: Paired, *, margin: float, seed: int) -> Examined:
    """The estimate and the tests of pairs; there must be at least one."""
    sums = cluster_sums(paired.differences, paired.clusters)
    differing = int((np.abs(sums) > SAME).sum())
    if paired.once:
        estimate = bonett_price(paired.gained, paired.lost, paired.tasks.size)
        method, p_method = "Bonett-Price", "exact McNemar"
        p = mcnemar(paired.gained, paired.lost)
    else:
        estimate, method = _clustered(paired, differing)
        flips = sign_flip(sums, seed=seed)
        kind = "exact" if flips.draws is None else f"{flips.draws:,} draws"
        p, p_method = flips.p, f"sign-flip permutation, {kind}"
    if sums.size < 2:
        estimate, p = Estimate(centre=estimate.centre, se=np.inf, df=np.inf), 1.0
    return Examined(
        paired=paired,
        clusters=sums.size,
        differing=differing,
        estimate=estimate,
        method=method + _only_these(paired.metric),
        p=p,
        p_method=p_method,
        against_margin=tost(estimate, margin),
    )


def _clustered(paired: Paired, differing: int) -> tuple[Estimate, str]:
    """The estimate with its method's name."""
    alone = np.unique(paired.clusters).size == paired.tasks.size
    name = "t over tasks" if alone else "t over clusters of alike tasks"
    if differing < DISCORDANT_MIN and np.unique(paired.clusters).size > 1:
        more = clustered_with_two_more(paired.differences, paired.clusters)
        return more, f"{name}, with one more task gained and one lost"
    return clustered(paired.differences, paired.clusters), name


def _only_these(metric: Metric) -> str:
    return ", only tasks where both chose the right tool" if metric == "arguments" else ""
