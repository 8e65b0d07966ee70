"""What a measurement is, and how it is taken: the two sides in turn, round after round.

    measured  baseline  measured  baseline  ...     one pair a round, one ratio a pair

Whatever slows the machine down for a while slows both sides of a round, so the ratio holds where
the figures do not. A first round that is not counted warms both sides up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A figure as it came out: medians over the rounds."""

    figure: Figure
    value: float
    baseline: float
    ratio: float
    """Median of the rounds' own ratios, measured to baseline."""

    @property
    def keeps(self) -> bool | None:
        """Whether it is within its bound; None without one."""
        return None if self.figure.bound is None else self.figure.bound.keeps(self.value)


def take(measurement: Measurement, rounds: int | None = None) -> Iterator[Measured]:
    """Measure. Raises what either side raises."""
    with measurement.open() as sides:
        sides.measured()
        sides.baseline()
        pairs = [(sides.measured(), sides.baseline()) for _ in range(rounds or measurement.rounds)]
    for index, figure in enumerate(measurement.figures):
        values = [measured[index] for measured, _ in pairs]
        baselines = [baseline[index] for _, baseline in pairs]
        yield Measured(
            figure=figure,
            value=median(values),
            baseline=median(baselines),
            ratio=median(a / b for a, b in zip(values, baselines, strict=True)),
        )
