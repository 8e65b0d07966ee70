"""Wilson's score interval of one rate.

It never leaves 0 to 1 and is not empty at either end, which is what the textbook interval does.
Wilson, J. Am. Stat. Assoc. 22 (1927) 209. With an effective number of samples and a quantile of t
it serves clustered samples, too: Dean and Pagano, Stat. Methods Med. Res. 24 (2015) 565; Korn and
Graubard, Survey Methodology 24 (1998) 193.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy.special import ndtri, stdtrit

from faultloop.reports.accuracy.conclusion import Interval
from faultloop.reports.accuracy.statistics.arrays import Floats, Ints
from faultloop.reports.accuracy.statistics.clustered import clustered


def wilson(rate: float, samples: float, *, level: float = 0.95, df: float = np.inf) -> Interval:
    """The interval of a rate that was seen over so many samples, which may be an effective number.

    `df` takes the quantile of t instead of the normal one.
    """
    tail = (1 + level) / 2
    quantile = float(ndtri(tail) if np.isinf(df) else stdtrit(df, tail))
    square = quantile * quantile
    centre = (rate + square / (2 * samples)) / (1 + square / samples)
    variance = max(0.0, rate * (1 - rate)) / samples + square / (4 * samples * samples)
    half = quantile * sqrt(variance) / (1 + square / samples)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def clustered_wilson(
    rates: Floats, clusters: Ints, samples: int, *, level: float = 0.95
) -> Interval:
    """The interval of the mean of tasks' rates, where tasks of one cluster are alike.

    The effective number of samples is the one at which a simple sample would have the clustered
    standard error: never more than the samples there are, and as many as clusters where the rates
    do not vary at all.
    """
    rate = float(rates.mean())
    estimate = clustered(rates, clusters)
    groups = int(np.unique(clusters).size)
    if groups < 2 or estimate.se == 0:
        return wilson(rate, groups, level=level)
    effective = min(float(samples), rate * (1 - rate) / estimate.se**2)
    return wilson(rate, effective, level=level, df=groups - 1)
