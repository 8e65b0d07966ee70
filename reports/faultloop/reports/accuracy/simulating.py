"""Simulated comparisons whose truth is known: what statistics are calibrated against.

How hard a task is follows a beta distribution, so the answers of several samples are beta-binomial.
A task's difficulty under a wording has four parts: what its cluster and the task itself have under
both wordings, and what cluster and task have under this one alone. With parts of its own an arm
differs from task to task and from tool set to tool set, though on average both are equal: that is
what clusters cost. The parts are joined by a Gaussian copula, so each arm's mean is exactly the one
that was asked for, and without an effect the arms can be exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from scipy.special import betaincinv, ndtr

from faultloop.reports.accuracy.pairing import Paired
from faultloop.reports.accuracy.statistics.arrays import Floats, Ints
from faultloop.reports.accuracy.statistics.power import Design

WORDINGS = "abcdefgh"
"""The base and its candidates."""
LARGE = 200_000
"""Tasks of which the truth about a world is measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Tasks, how they are asked, and what is true of them."""

    tasks: int
    samples: int = 1
    sizes: tuple[int, ...] = (1,)
    """Tasks of the clusters, over and over."""
    rate: float = 0.75
    """Of the base."""
    candidates: int = 1
    effect: float = 0.0
    """By so much each candidate is right more often."""
    concentration: float = 1.0
    """Of the beta distribution: the smaller, the more tasks are right always or never."""
    cluster: float = 0.0
    """Share of a task's difficulty that is its cluster's, under either wording."""
    own_cluster: float = 0.0
    """Share that is its cluster's, under this wording alone."""
    own_task: float = 0.1
    """Share that is the task's, under this wording alone."""

    @property
    def clusters(self) -> Ints:
        """The cluster of each task."""
        rounds = -(-self.tasks // sum(self.sizes))
        sizes = np.tile(np.array(self.sizes, dtype=np.int64), rounds)
        return np.repeat(np.arange(sizes.size), sizes)[: self.tasks]

    @property
    def once(self) -> bool:
        """Whether this is McNemar's case."""
        return self.samples == 1 and self.sizes == (1,)


def chances(world: World, runs: int, generator: np.random.Generator) -> Floats:
    """How likely each task is right: by wording (the base first), run and task. Each run has new
    tasks."""
    clusters = world.clusters
    groups = int(clusters[-1]) + 1
    own = world.own_cluster + world.own_task
    shared = sqrt(world.cluster) * generator.standard_normal((runs, groups))[:, clusters]
    shared += sqrt(1 - world.cluster - own) * generator.standard_normal((runs, world.tasks))
    arms = []
    for arm in range(1 + world.candidates):
        rate = world.rate + (world.effect if arm else 0.0)
        alone = sqrt(world.own_cluster) * generator.standard_normal((runs, groups))[:, clusters]
        alone += sqrt(world.own_task) * generator.standard_normal((runs, world.tasks))
        right, wrong = rate * world.concentration, (1 - rate) * world.concentration
        arms.append(betaincinv(right, wrong, ndtr(shared + alone)))
    return np.clip(np.stack(arms), 0, 1)


def draw(world: World, runs: int, generator: np.random.Generator) -> Floats:
    """The share of the samples that were right: by wording, run and task."""
    right = generator.binomial(world.samples, chances(world, runs, generator))
    return right / world.samples


def paired(world: World, drawn: Floats, run: int, *, candidate: int = 1) -> Paired:
    """One of the comparisons, as pairs of two wordings."""
    return Paired(
        base=WORDINGS[0],
        candidate=WORDINGS[candidate],
        metric="selection",
        tasks=np.arange(world.tasks),
        clusters=world.clusters,
        base_rates=drawn[0, run],
        candidate_rates=drawn[candidate, run],
        once=world.once,
        gives_arguments=False,
        unpaired_orders=0,
        unanswered=(),
    )


def assumed(world: World, *, seed: int = 0) -> Design:
    """What somebody who knew the truth would assume before the run: measured of many tasks."""
    many = replace(world, tasks=LARGE, effect=0.0, candidates=1)
    base, candidate = chances(many, 1, np.random.default_rng(seed))[:, 0]
    discordance = float((base * (1 - candidate) + candidate * (1 - base)).mean())
    differences = candidate - base
    sample_icc = float((differences**2).mean()) / discordance
    nested = discordance * (sample_icc + (1 - sample_icc) / world.samples)
    sums = np.bincount(many.clusters, weights=differences)
    sizes = np.bincount(many.clusters)
    pairs = float((sizes * (sizes - 1)).sum())
    together = float((sums**2).sum() - (differences**2).sum()) / pairs if pairs else 0.0
    return Design(
        discordance=discordance,
        samples=world.samples,
        sample_icc=sample_icc,
        cluster_size=float((sizes**2).sum() / sizes.sum()),
        cluster_icc=max(0.0, together) / nested,
    )
