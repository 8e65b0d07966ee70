"""How often one wording was right, by itself.

Never compare two of these by whether their intervals overlap: the wordings were asked the same
tasks, and the difference of pairs is known far better than either rate.
"""

from __future__ import annotations

import numpy as np

from faultloop.reports.accuracy.conclusion import Metric, Rate
from faultloop.reports.accuracy.gathering import Columns
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
    alone = np.unique(clusters).size == tasks.size
    mean = float(rates.mean())
    if alone and samples == tasks.size:
        interval, method = wilson(mean, samples), "Wilson"
    else:
        interval = clustered_wilson(rates, clusters, samples)
        method = f"Wilson, clustered by {'task' if alone else 'tool set'}"
    return Rate(
        wording=wording,
        metric=metric,
        rate=mean,
        interval=interval,
        tasks=tasks.size,
        samples=samples,
        failures=int((columns.of(wording) & columns.failed).sum()),
        method=method + _given_the_tool(metric),
    )


def _given_the_tool(metric: Metric) -> str:
    return ", of tasks where it chose the right tool" if metric == "arguments" else ""
