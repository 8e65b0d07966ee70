"""What a measurement is, and how it is taken: the two sides in turn, round after round.

    measured  baseline  measured  baseline  ...     one pair a round, one ratio a pair

Whatever slows the machine down for a while slows both sides of a round, so the ratio holds where
the figures do not. A first round that is not counted warms both sides up, unless a single one is
long enough not to need it. No round is begun that would not fit into a measurement's time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from math import inf, isfinite
from statistics import median
from typing import Literal, NamedTuple

Figures = tuple[float, ...]
"""One value for each `Figure` of a measurement, in their order."""


class Sides(NamedTuple):
    """The two things that take turns; each call is one round and gives its figures."""

    measured: Callable[[], Figures]
    baseline: Callable[[], Figures]


class Bound(NamedTuple):
    """What a figure has to keep."""

    side: Literal["at least", "under"]
    value: float

    def keeps(self, figure: float) -> bool:
        """Whether the figure is within it."""
        return figure >= self.value if self.side == "at least" else figure < self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number that a measurement gives."""

    name: str
    unit: str
    bound: Bound | None = None
    ratio_bound: Bound | None = None
    """What the ratio to the baseline has to keep."""
    without: str = ""
    """What is told in place of a figure whose baseline could not be had (NaN)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """Something to be measured, beside something to compare it with."""

    name: str
    says: str
    """What is measured, in words."""
    against: str
    """What the baseline does."""
    figures: tuple[Figure, ...]
    open: Callable[[], AbstractContextManager[Sides]]
    """Prepares both sides, and cleans up after them."""
    rounds: int
    """At most so many; a slow machine makes fewer of them."""
    budget_s: float = 20.0
    warms_up: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A figure as it came out: medians over the rounds."""

    figure: Figure
    value: float
    baseline: float
    ratio: float
    """Median of the rounds' own ratios, measured to baseline; infinite where that is nothing."""

    @property
    def keeps(self) -> bool | None:
        """Whether it is within its bound; None without one."""
        return None if self.figure.bound is None else self.figure.bound.keeps(self.value)

    @property
    def keeps_ratio(self) -> bool | None:
        """Whether the ratio is within its bound; None without one, or without a ratio."""
        bound = self.figure.ratio_bound
        return None if bound is None or not isfinite(self.ratio) else bound.keeps(self.ratio)


def take(
    measurement: Measurement,
    rounds: int | None = None,
    *,
    seen: Callable[[str], object] = lambda step: None,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Measured]:
    """Measure; exactly so many `rounds`, where they are given. `seen` is told what comes next.

    Raises what either side raises.
    """
    pairs: list[tuple[Figures, Figures]] = []
    wanted = rounds or measurement.rounds
    with measurement.open() as sides:
        if measurement.warms_up:
            seen("warming up")
            sides.measured()
            sides.baseline()
        began_s = clock()
        for number in range(1, wanted + 1):
            spent_s = clock() - began_s
            if rounds is None and pairs and spent_s + spent_s / len(pairs) > measurement.budget_s:
                break  # another round like those before it would not fit
            seen(f"round {number} of {wanted}")
            measured = sides.measured()
            seen(f"round {number} of {wanted}, baseline")
            pairs.append((measured, sides.baseline()))
    for index, figure in enumerate(measurement.figures):
        values = [measured[index] for measured, _ in pairs]
        baselines = [baseline[index] for _, baseline in pairs]
        yield Measured(
            figure=figure,
            value=median(values),
            baseline=median(baselines),
            ratio=median(a / b if b else inf for a, b in zip(values, baselines, strict=True)),
        )
