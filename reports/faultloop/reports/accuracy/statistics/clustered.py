"""The mean of task differences with a standard error that is robust to clusters.

Tasks that share a tool set are alike, so their differences are no independent witnesses: what
counts is how the *sums* of the clusters vary. Liang and Zeger, Biometrika 73 (1986) 13, with the
correction G / (G - 1) and t with G - 1 degrees of freedom, as statsmodels has it for an intercept
alone (`OLS(d, 1).fit(cov_type="cluster", use_t=True)`). Samples and orders are nested in a task and
are averaged before; where each task is a cluster of its own this is the paired t interval.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from faultloop.reports.accuracy.statistics.arrays import Floats, Ints
from faultloop.reports.accuracy.statistics.estimate import Estimate


def cluster_sums(values: Floats, clusters: Ints) -> Floats:
    """The sum of the values in each cluster, in the order of the clusters' numbers."""
    _, codes = np.unique(clusters, return_inverse=True)
    return np.bincount(codes, weights=values).astype(np.float64)


def clustered(values: Floats, clusters: Ints) -> Estimate:
    """The mean over tasks. With one cluster nothing is known of others: the error is infinite."""
    mean = float(values.mean())
    residuals = cluster_sums(values - mean, clusters)
    groups = residuals.size
    if groups < 2:
        return Estimate(centre=mean, se=inf, df=inf)
    square = float(residuals @ residuals) * groups / (groups - 1)
    return Estimate(centre=mean, se=sqrt(square) / values.size, df=groups - 1)


def clustered_with_two_more(values: Floats, clusters: Ints) -> Estimate:
    """The same as if one more task had been gained and one more lost, each a cluster of its own.

    For when few or no clusters differ and the error would be nearly nothing: what Bonett and Price
    do for one sample, carried over.
    """
    first_free = int(clusters.max()) + 1
    return clustered(
        np.append(values, [1.0, -1.0]), np.append(clusters, [first_free, first_free + 1])
    )
