"""What a number of tasks can show: the smallest detectable difference, and the tasks one needs.

Before a run from an assumed discordance: the share of tasks that would come out differently, asked
once under each wording. Connor, Biometrics 43 (1987) 207, is McNemar's test with normal quantiles.
Samples of one task are partly the same again and tasks of one cluster partly alike, which a design
effect says: Kish, Survey Sampling (1965), 5.4. After a run from the standard error that was seen.
"Detectable" is always: shown in four runs of five (`power`), two-sided at `alpha`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, inf, sqrt
from typing import NamedTuple

from scipy.optimize import brentq
from scipy.special import ndtri

from faultloop.reports.accuracy.statistics.estimate import Estimate

ALPHA = 0.05
POWER = 0.8
DISCORDANT_MIN = 6
"""With fewer that differ no p below 0.05 is possible: 2 * (1/2)^5 = 0.0625."""


class Design(NamedTuple):
    """What is assumed before a run."""

    discordance: float
    """Share of tasks that would differ, asked once under each wording; 0.1 to 0.3 is common."""
    samples: int = 1
    sample_icc: float = 0.5
    """How much of what differs is the task's and comes again in each sample; 1: all of it. About a
    half was seen of agents (tau-bench, issue 57)."""
    cluster_size: float = 1.0
    """Tasks a cluster; where sizes differ, sum of squares over sum."""
    cluster_icc: float = 0.0
    """How alike the differences of one cluster are."""

    @property
    def variance(self) -> float:
        """Of one task's difference, were there none; multiplied by what clusters cost."""
        nested = self.sample_icc + (1 - self.sample_icc) / self.samples
        return self.discordance * nested * (1 + (self.cluster_size - 1) * self.cluster_icc)


def detectable(
    tasks: int, design: Design, *, alpha: float = ALPHA, power: float = POWER
) -> float | None:
    """Before a run: the smallest difference that so many tasks show; None: not even one in which
    all that differs differs in one direction."""
    excess = _excess(tasks, design, alpha, power)
    if excess(design.discordance) < 0:
        return None
    return float(brentq(excess, 0.0, design.discordance))


def tasks_needed(
    difference: float, design: Design, *, alpha: float = ALPHA, power: float = POWER
) -> int | None:
    """Before a run: how many tasks show a difference; None: one larger than the discordance, or
    none at all."""
    size = abs(difference)
    if not 0 < size <= design.discordance:
        return None
    return ceil((_needed(size, design, alpha, power) / size) ** 2)


def _needed(size: float, design: Design, alpha: float, power: float) -> float:
    """The difference times the root of the tasks."""
    variance = design.variance
    rest = sqrt(max(0.0, variance - size * size))
    return float(ndtri(1 - alpha / 2)) * sqrt(variance) + float(ndtri(power)) * rest


def _excess(tasks: int, design: Design, alpha: float, power: float) -> Callable[[float], float]:
    """By how much a difference is more than detectable, as a function of it."""
    return lambda size: size * sqrt(tasks) - _needed(size, design, alpha, power)


def detectable_seen(
    estimate: Estimate, tasks: int, *, alpha: float = ALPHA, power: float = POWER
) -> float:
    """After a run: the smallest difference that these tasks would show, at the error seen."""
    if estimate.se == inf:
        return 1.0
    reach = (estimate.quantile(1 - alpha / 2) + estimate.quantile(power)) * estimate.se
    return min(1.0, max(reach, DISCORDANT_MIN / tasks))


def tasks_needed_seen(difference: float, detectable: float, tasks: int) -> int | None:
    """After a run: how many tasks would show the difference seen, if it is the true one."""
    if difference == 0 or detectable >= 1:
        return None
    return ceil(tasks * (detectable / difference) ** 2 - 1e-9)


def tasks_excused_seen(
    estimate: Estimate, margin: float, tasks: int, *, alpha: float = ALPHA, power: float = POWER
) -> int | None:
    """After a run: how many tasks would show that the candidate is not worse by the margin, if what
    was seen is the truth; None: it is worse by more."""
    room = estimate.centre + margin
    if room <= 0 or estimate.se == inf:
        return None
    reach = (estimate.quantile(1 - alpha) + estimate.quantile(power)) * estimate.se
    return ceil(tasks * (reach / room) ** 2 - 1e-9)
