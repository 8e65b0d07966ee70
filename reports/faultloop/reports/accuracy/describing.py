"""What was counted beside the comparison: orders, confusions, failures, mistakes, flips.

Nothing here is a test, and nothing here changes a verdict.
"""

from __future__ import annotations

import numpy as np

from faultloop.reports.accuracy.conclusion import (
    Confusion,
    FailureCount,
    Flip,
    Interval,
    MistakeCount,
    OrderSensitivity,
)
from faultloop.reports.accuracy.gathering import Columns
from faultloop.reports.accuracy.pairing import SAME, Paired
from faultloop.reports.accuracy.statistics.arrays import Floats, Ints
from faultloop.reports.accuracy.statistics.order_flips import order_flips
from faultloop.reports.accuracy.statistics.wilson import clustered_wilson


def order_sensitivity(columns: Columns, wording: str) -> OrderSensitivity | None:
    """Of one wording; None where no task was asked in two orders."""
    rows = columns.of(wording)
    flips = order_flips(
        columns.task[rows], columns.order[rows], columns.choice[rows], len(columns.tasks)
    )
    tasks = np.flatnonzero(~np.isnan(flips.across))
    if not tasks.size:
        return None
    across = flips.across[tasks]
    within = flips.within[tasks]
    within = within[~np.isnan(within)]
    asked = np.bincount(columns.order[rows], minlength=len(columns.orders))
    right = np.bincount(
        columns.order[rows], weights=columns.selected[rows], minlength=len(columns.orders)
    )
    return OrderSensitivity(
        wording=wording,
        orders=int((asked > 0).sum()),
        tasks=tasks.size,
        flip_rate=float(across.mean()),
        interval=_interval(across, columns.cluster_of[tasks]),
        same_order_rate=float(within.mean()) if within.size else None,
        rates=tuple(float(one) for one in right[asked > 0] / asked[asked > 0]),
    )


def _interval(rates: Floats, clusters: Ints) -> Interval:
    return clustered_wilson(rates, clusters, rates.size)


def confusions(columns: Columns, wording: str) -> list[Confusion]:
    """The cells of one wording's matrix, by expected and chosen."""
    labels = sorted(set(columns.expected_of))
    numbers = {label: place for place, label in enumerate(labels)}
    expected_of = np.array([numbers[label] for label in columns.expected_of], dtype=np.int64)
    rows = columns.of(wording)
    width = len(columns.choices)
    cells = expected_of[columns.task[rows]] * width + columns.choice[rows]
    places, counts = np.unique(cells, return_counts=True)
    return [
        Confusion(
            wording=wording,
            expected=labels[int(place) // width],
            chosen=columns.choices[int(place) % width],
            count=int(count),
        )
        for place, count in zip(places, counts, strict=True)
    ]


def failures(columns: Columns) -> list[FailureCount]:
    """By wording, the most frequent first."""
    return [
        FailureCount(wording=wording, failure=failure, count=count)
        for (wording, failure), count in sorted(
            columns.failures.items(),
            key=lambda one: (columns.wordings.index(one[0][0]), -one[1], one[0][1]),
        )
    ]


def mistakes(columns: Columns) -> list[MistakeCount]:
    """By wording, the most frequent first."""
    return [
        MistakeCount(wording=wording, mistake=mistake, count=count)
        for (wording, mistake), count in sorted(
            columns.mistakes.items(),
            key=lambda one: (columns.wordings.index(one[0][0]), -one[1], one[0][1]),
        )
    ]


def flips(columns: Columns, paired: Paired) -> list[Flip]:
    """The tasks that came out differently: the largest differences first, losses before gains."""
    theirs, ours = (_usual(columns, name) for name in (paired.base, paired.candidate))
    moved = np.flatnonzero(np.abs(paired.differences) > SAME)
    found = []
    for place in moved:
        task = int(paired.tasks[place])
        found.append(
            Flip(
                candidate=paired.candidate,
                task=columns.tasks[task],
                cluster=columns.clusters[int(columns.cluster_of[task])],
                expected=columns.expected_of[task],
                base_rate=float(paired.base_rates[place]),
                candidate_rate=float(paired.candidate_rates[place]),
                base_chosen=columns.choices[int(theirs[task])],
                candidate_chosen=columns.choices[int(ours[task])],
            )
        )
    return sorted(
        found,
        key=lambda one: (
            -round(abs(one.candidate_rate - one.base_rate), 9),
            one.gained,
            one.task,
        ),
    )


def _usual(columns: Columns, wording: str) -> Ints:
    """For each task what one wording led to most often: the first by name of several."""
    rows = columns.of(wording)
    width = len(columns.choices)
    cells, counts = np.unique(columns.task[rows] * width + columns.choice[rows], return_counts=True)
    usual = np.zeros(len(columns.tasks), dtype=np.int64)
    by_count = np.lexsort((-cells, counts))  # later ones overwrite: the most frequent, then first
    usual[cells[by_count] // width] = cells[by_count] % width
    return usual
