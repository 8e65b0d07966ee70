"""McNemar's exact test: of the tasks that differ, is one side more often right than a fair coin?

One sample a task. McNemar, Psychometrika 12 (1947) 153; the exact form is a binomial test of one
half. It keeps below the level it is asked for, since so few values of p are possible;
`expected_size` says by how much, and the mid-p is what it would be without that.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import binom

from faultloop.reports.accuracy.statistics.arrays import Floats, Ints


def mcnemar(gained: int, lost: int) -> float:
    """Two-sided p; 1 where no task differs."""
    return float(_exact(np.array([gained]), np.array([lost]))[0])


def mid_p(gained: int, lost: int) -> float:
    """Two-sided p with half the weight of what was seen: not exact, and right on average.

    Fagerland, Lydersen and Laake, BMC Med. Res. Methodol. 13 (2013) 91.
    """
    both = gained + lost
    return min(1.0, mcnemar(gained, lost) - float(binom.pmf(gained, both, 0.5))) if both else 1.0


def expected_size(discordant: Ints, *, level: float = 0.05) -> float:
    """How often p < level comes of nothing, over these numbers of tasks that differ."""
    sizes = {}
    for both in np.unique(discordant):
        gained = np.arange(both + 1)
        rejected = _exact(gained, both - gained) < level
        sizes[int(both)] = float(binom.pmf(gained[rejected], both, 0.5).sum())
    return float(np.mean([sizes[int(both)] for both in discordant]))


def _exact(gained: Ints, lost: Ints) -> Floats:
    """Two-sided p of each pair of counts."""
    return np.minimum(1.0, 2 * binom.cdf(np.minimum(gained, lost), gained + lost, 0.5))
