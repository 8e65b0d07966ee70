"""Pairs: the differences of one candidate and its base, task by task.

A task is compared where both wordings have an observation of it in the same order of its tools.
Its samples are averaged in each order, and its orders in the task: both are nested in it and are no
witnesses of their own. Each task then weighs the same.

`arguments` is no comparison over all tasks: it is known only where the right tool was chosen, and
which tasks these are differs from wording to wording. So only tasks in which both wordings led to
the right tool at least once, in the same order of its tools, are paired; what it says is about
these, and says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from faultloop.reports.accuracy.conclusion import Metric
from faultloop.reports.accuracy.gathering import Columns
from faultloop.reports.accuracy.statistics.arrays import Bools, Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """One number for each task that both wordings have."""

    base: str
    candidate: str
    metric: Metric
    tasks: Ints
    """Places in the columns' tasks."""
    clusters: Ints
    base_rates: Floats
    candidate_rates: Floats
    once: bool
    """Asked once under each wording, each task a cluster of its own: McNemar's case."""
    gives_arguments: bool
    """Whether arguments were put to the test anywhere; else `right` is the choice alone."""
    unpaired_orders: int
    """Cells of paired tasks, an order each, that only one of the two has."""
    unanswered: tuple[str, ...]
    """Wordings that have no answer at all, only failures."""
    is_whole: bool = True
    """Whether all was asked that was to be."""

    @property
    def differences(self) -> Floats:
        """Candidate less base."""
        return self.candidate_rates - self.base_rates

    @property
    def gained(self) -> int:
        """Tasks where the candidate is right more often."""
        return int((self.differences > SAME).sum())

    @property
    def lost(self) -> int:
        """Tasks where the base is right more often."""
        return int((self.differences < -SAME).sum())

    def only(self, chosen: Bools) -> Paired:
        """Of these tasks alone; the mask is over all tasks of the columns."""
        kept = chosen[self.tasks]
        return replace(
            self,
            tasks=self.tasks[kept],
            clusters=self.clusters[kept],
            base_rates=self.base_rates[kept],
            candidate_rates=self.candidate_rates[kept],
        )


SAME = 1e-9
"""Rates that differ by less are the same, but for rounding."""


def pair(
    columns: Columns, base: str, candidate: str, metric: Metric, *, answered: bool = False
) -> Paired:
    """The pairs of two wordings in one metric, or those of what was answered; there may be none."""
    ours = columns.cells(candidate, metric, answered=answered)
    theirs = columns.cells(base, metric, answered=answered)
    both = (ours.counts > 0) & (theirs.counts > 0)
    either = (ours.counts > 0) | (theirs.counts > 0)
    tasks = np.flatnonzero(both.any(axis=1))
    cells = both[tasks]
    clusters = columns.cluster_of[tasks]
    asked_once = all(int(one.counts[both].max(initial=0)) == 1 for one in (ours, theirs))
    alone = np.unique(clusters).size == tasks.size
    return Paired(
        base=base,
        candidate=candidate,
        metric=metric,
        tasks=tasks,
        clusters=clusters,
        base_rates=_mean(theirs.means[tasks], cells),
        candidate_rates=_mean(ours.means[tasks], cells),
        once=asked_once and alone and bool((cells.sum(axis=1) == 1).all()),
        gives_arguments=columns.gives_arguments,
        unpaired_orders=int((either & ~both)[tasks].sum()),
        unanswered=tuple(
            wording
            for wording in (base, candidate)
            if bool(columns.failed[columns.of(wording)].all())
        ),
        is_whole=columns.is_whole,
    )


def _mean(means: Floats, cells: Bools) -> Floats:
    """Over the orders of each task that both wordings have."""
    mean: Floats = np.where(cells, means, 0.0).sum(axis=1) / cells.sum(axis=1)
    return mean
