"""How often one wording was right, by itself.

Never compare two of these by whether their intervals overlap: the wordings were asked the same
tasks, and the difference of pairs is known far better than either rate.
"""

from __future__ import annotations

import numpy as np

from faultloop.reports.accuracy.conclusion import Interval, Metric, Rate
from faultloop.reports.accuracy.gathering import Columns
from faultloop.reports.accuracy.statistics.arrays import Floats, Ints
from faultloop.reports.accuracy.statistics.wilson import clustered_wilson, wilson


def rate(columns: Columns, wording: str, metric: Metric) -> Rate | None:
    """How often one wording was right, over all that it was asked; None: it never was put to the
    test."""
    cells = columns.cells(wording, metric)
    asked = cells.counts > 0
    tasks = np.flatnonzero(asked.any(axis=1))
    if not tasks.size:
        return None
    rates = np.where(asked, cells.means, 0.0)[tasks].sum(axis=1) / asked[tasks].sum(axis=1)
    clusters = columns.cluster_of[tasks]
    samples = int(cells.counts.sum())
    interval, method = rate_interval(rates, clusters, samples)
    return Rate(
        wording=wording,
        metric=metric,
        rate=float(rates.mean()),
        interval=interval,
        tasks=tasks.size,
        samples=samples,
        failures=int((columns.of(wording) & columns.failed).sum()),
        method=method + _given_the_tool(metric),
    )


def rate_interval(rates: Floats, clusters: Ints, samples: int) -> tuple[Interval, str]:
    """Of the mean of tasks' rates, with the method's name."""
    alone = np.unique(clusters).size == rates.size
    if alone and samples == rates.size:
        return wilson(float(rates.mean()), samples), "Wilson"
    nested_in = "task" if alone else "alike tasks"
    return clustered_wilson(rates, clusters, samples), f"Wilson, clustered by {nested_in}"


def _given_the_tool(metric: Metric) -> str:
    return ", of tasks where it chose the right tool" if metric == "arguments" else ""
