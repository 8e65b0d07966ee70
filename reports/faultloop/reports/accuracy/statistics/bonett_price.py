"""Bonett and Price's interval for a difference of paired proportions, one sample a task.

An adjusted Wald interval: as if one more task had been gained and one more lost. It has width even
where no task differs. Bonett and Price, J. Educ. Behav. Stat. 37 (2012) 479, formula 3; Fagerland,
Lydersen and Laake, Stat. Med. 33 (2014) 2850, recommend it.
"""

from __future__ import annotations

from math import inf, sqrt

from faultloop.reports.accuracy.statistics.estimate import Estimate


def bonett_price(gained: int, lost: int, tasks: int) -> Estimate:
    """The estimate from so many tasks, of which some only the candidate got right (gained) and
    some only the base (lost)."""
    more = (gained + 1) / (tasks + 2)
    less = (lost + 1) / (tasks + 2)
    variance = (more + less - (more - less) ** 2) / (tasks + 2)
    return Estimate(centre=more - less, se=sqrt(max(0.0, variance)), df=inf)
