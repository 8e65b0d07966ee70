"""Two one-sided tests: is a difference certainly smaller than a margin, and in which directions?

Schuirmann, J. Pharmacokinet. Biopharm. 15 (1987) 657. Both tests at 5 % are the same as a 90 %
interval within the margin; the lower test alone is the one of "no worse".
"""

from __future__ import annotations

from typing import NamedTuple

from faultloop.reports.accuracy.statistics.estimate import Estimate


class Tost(NamedTuple):
    """Both tests."""

    p_no_worse: float
    """That the difference is below minus the margin, or at it."""
    p_no_better: float
    """That the difference is above the margin, or at it."""

    @property
    def p_equivalent(self) -> float:
        """The larger of the two."""
        return max(self.p_no_worse, self.p_no_better)


def tost(estimate: Estimate, margin: float) -> Tost:
    """Against a margin, a fraction. Without one (0) nothing is claimed: both are 1."""
    if margin <= 0:
        return Tost(1.0, 1.0)
    return Tost(estimate.p_above(-margin), estimate.p_below(margin))
