"""Simulated comparisons, judged as users' are, and counted: what `calibration` is made of.

Nothing here decides whether a count is good. What is judged goes through `examined` and `judged`,
like the columns of real observations do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple, TypeVar

import numpy as np

from faultloop.reports.accuracy.conclusion import Verdict
from faultloop.reports.accuracy.examined import examined
from faultloop.reports.accuracy.judging import ALPHA, judged
from faultloop.reports.accuracy.pairing import Paired
from faultloop.reports.accuracy.rating import rate_interval
from faultloop.reports.accuracy.simulating import World, draw, paired
from faultloop.reports.accuracy.statistics.clustered import cluster_sums, clustered
from faultloop.reports.accuracy.statistics.halving import first_half
from faultloop.reports.accuracy.statistics.mcnemar import mid_p
from faultloop.reports.accuracy.statistics.sign_flip import size

UNEQUAL = (1, 2, 3, 6)
SETS = World(tasks=240, sizes=UNEQUAL, cluster=0.3, own_cluster=0.15)
FAMILY = World(tasks=200, candidates=3)
"""Three candidates, all as good as the base."""


class Case(NamedTuple):
    """A design that people run."""

    name: str
    world: World


CASES = (
    Case("one sample, 200 tasks", World(tasks=200)),
    Case("one sample, 60 tasks", World(tasks=60)),
    Case("five samples, 200 tasks", World(tasks=200, samples=5)),
    Case("80 shared tool sets, one sample, 240 tasks", SETS),
    Case("80 shared tool sets, five samples, 240 tasks", replace(SETS, samples=5)),
    Case("12 shared tool sets, one sample, 120 tasks", replace(SETS, tasks=120, sizes=(4, 8, 18))),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What came of some comparisons, counted."""

    runs: int
    significant: int
    """p below 0.05."""
    better: int
    worse: int
    no_worse: int
    covered: int
    """Intervals that hold the truth."""
    rates_covered: int
    """Intervals of the base's rate that hold it."""
    unclustered: int
    """Would be called different, were tasks of one tool set taken for independent."""
    by_mid_p: int
    """With the mid-p of McNemar's test."""
    size: float
    """Sum of how often the exact test would give p < 0.05 over all flips of what was seen."""

    @property
    def told(self) -> int:
        """Verdicts of better or worse."""
        return self.better + self.worse


def tally(world: World, *, margin: float, seed: Sequence[int], runs: int) -> Tally:
    """Some comparisons of one world."""
    drawn = draw(world, runs, np.random.default_rng(list(seed)))
    pairs = [paired(world, drawn, run) for run in range(runs)]
    judgements = [
        judged([examined(pair, margin=margin, seed=run)], margin=margin)[0]
        for run, pair in enumerate(pairs)
    ]
    verdicts = [one.verdict for one in judgements]
    once = [(one.gained, one.lost) for one in judgements if world.once]
    return Tally(
        runs=runs,
        significant=sum(one.p < ALPHA for one in judgements),
        better=verdicts.count(Verdict.BETTER),
        worse=verdicts.count(Verdict.WORSE),
        no_worse=verdicts.count(Verdict.NO_WORSE),
        covered=sum(one.interval.low <= world.effect <= one.interval.high for one in judgements),
        rates_covered=sum(_rate_is_covered(world, pair) for pair in pairs),
        unclustered=sum(_told_without_clusters(pair) for pair in pairs),
        by_mid_p=sum(mid_p(gained, lost) < ALPHA for gained, lost in once),
        size=sum(size(cluster_sums(pair.differences, pair.clusters)) for pair in pairs),
    )


def _rate_is_covered(world: World, pair: Paired) -> bool:
    samples = world.tasks * world.samples
    (low, high), _ = rate_interval(pair.base_rates, pair.clusters, samples)
    return low <= world.rate <= high


def _told_without_clusters(pair: Paired) -> bool:
    low, high = clustered(pair.differences, np.arange(pair.tasks.size)).interval()
    return not low <= 0 <= high


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What came of comparisons in which nobody is better and several compete, counted."""

    runs: int
    uncorrected: int
    """Any pair with p below 0.05."""
    by_holm: int
    """Any verdict of better or worse."""
    same_tasks: int
    """The winner called better on the tasks that chose it."""
    held_out: int
    """The winner called better on the other half."""
    gain: float
    """Sum of what the winner seems to win by on the tasks that chose it."""
    gain_held_out: float
    """Sum of what it wins by on the other half."""


def choose(world: World, *, seed: Sequence[int], runs: int) -> Chosen:
    """Some comparisons of several candidates, of which none is better."""
    drawn = draw(world, runs, np.random.default_rng(list(seed)))
    names = [str(cluster) for cluster in np.unique(world.clusters)]
    parts = []
    for run in range(runs):
        pairs = [paired(world, drawn, run, candidate=one) for one in range(1, 1 + world.candidates)]
        found = [examined(one, margin=0.0, seed=run) for one in pairs]
        corrected = judged(found, margin=0.0)
        chooses = first_half(world.clusters, names, seed=run)
        gains = [float(one.differences[chooses].mean()) for one in pairs]
        winner = examined(pairs[int(np.argmax(gains))].only(~chooses), margin=0.0, seed=run)
        best = int(np.argmax([float(one.differences.mean()) for one in pairs]))
        parts.append(
            Chosen(
                runs=1,
                uncorrected=any(one.p < ALPHA for one in found),
                by_holm=any(one.verdict is not Verdict.CANNOT_TELL for one in corrected),
                same_tasks=judged([found[best]], margin=0.0)[0].verdict is Verdict.BETTER,
                held_out=judged([winner], margin=0.0)[0].verdict is Verdict.BETTER,
                gain=max(gains),
                gain_held_out=float(winner.paired.differences.mean()),
            )
        )
    return added(parts)


Count = TypeVar("Count", Tally, Chosen)


def added(parts: Sequence[Count]) -> Count:
    """Counts of several parts, as of one."""
    first = parts[0]
    sums = {one.name: sum(getattr(part, one.name) for part in parts) for one in fields(first)}
    return type(first)(**sums)
