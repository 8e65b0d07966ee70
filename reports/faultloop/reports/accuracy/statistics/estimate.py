"""An estimated difference with its standard error, from which intervals and tests follow alike.

An interval and a test against a bound are two sides of one estimate: the interval at level
1 - 2a excludes a bound exactly where the one-sided test against it has p < a.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from faultloop.reports.accuracy.conclusion import Interval


class Estimate(NamedTuple):
    """A difference of two rates, from -1 to 1."""

    centre: float
    """Of the interval; methods that add pseudo-tasks draw it towards 0."""
    se: float
    """The standard error; infinite where nothing can be said."""
    df: float
    """Degrees of freedom of t; infinite: normal."""

    def quantile(self, probability: float) -> float:
        """Of t, or of the normal distribution."""
        return float(ndtri(probability) if np.isinf(self.df) else stdtrit(self.df, probability))

    def interval(self, level: float = 0.95) -> Interval:
        """Two-sided, cut to what a difference of rates can be."""
        if np.isinf(self.se):
            return Interval(-1.0, 1.0)
        half = self.quantile((1 + level) / 2) * self.se
        return Interval(max(-1.0, self.centre - half), min(1.0, self.centre + half))

    def p_above(self, bound: float) -> float:
        """One-sided p of the claim that the difference is greater than a bound."""
        if np.isinf(self.se):
            return 1.0
        if self.se == 0:
            return 0.0 if self.centre > bound else 1.0
        t = (self.centre - bound) / self.se
        return float(ndtr(-t) if np.isinf(self.df) else stdtr(self.df, -t))

    def p_below(self, bound: float) -> float:
        """One-sided p of the claim that the difference is less than a bound."""
        return self._replace(centre=-self.centre).p_above(-bound)
