"""McNemar's exact test: of the tasks that differ, is one side more often right than a fair coin?

One sample a task. McNemar, Psychometrika 12 (1947) 153; the exact form is a binomial test of one
half. It keeps below the level it is asked for, since so few values of p are possible; the mid-p is
what it would be without that.
"""

from __future__ import annotations

from scipy.stats import binom


def mcnemar(gained: int, lost: int) -> float:
    """Two-sided p; 1 where no task differs."""
    both = gained + lost
    return min(1.0, 2 * float(binom.cdf(min(gained, lost), both, 0.5))) if both else 1.0


def mid_p(gained: int, lost: int) -> float:
    """Two-sided p with half the weight of what was seen: not exact, and right on average.

    Fagerland, Lydersen and Laake, BMC Med. Res. Methodol. 13 (2013) 91.
    """
    both = gained + lost
    tails = 2 * float(binom.cdf(min(gained, lost), both, 0.5))
    return min(1.0, tails - float(binom.pmf(gained, both, 0.5))) if both else 1.0
