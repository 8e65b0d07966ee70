"""Plots without a plotting library: places on an axis in percent, which the page's style draws.

A forest plot is a list of rows, each with an interval and a mark; the steps of the tasks are one
SVG of rectangles. Equal figures give equal bytes, text stays text, and both themes fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from typing import NamedTuple

import numpy as np

from faultloop.reports.accuracy.conclusion import Difference
from faultloop.reports.accuracy.escaping import visible
from faultloop.reports.accuracy.marks import MARKS, Mark, signed
from faultloop.reports.accuracy.statistics.arrays import Floats

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5)
"""Distances between ticks, in rates."""
EDGE = 0.02
"""Of the axis, at either end, that has no tick: its label would reach beyond."""
BARS_MAX = 300
"""Bars of the plot of tasks; of more tasks, several share one."""


class Tick(NamedTuple):
    """A place on the axis, with its label in points."""

    at: str
    label: str


class Bar(NamedTuple):
    """One difference on the axis; all places in percent of its width."""

    label: str
    note: str
    low: str
    width: str
    at: str
    mark: Mark
    figures: str
    says: str


class Forest(NamedTuple):
    """Several differences on one axis."""

    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    zero: str
    margin: str
    """Where the margin ends, left of zero; empty: none was declared."""
    margin_width: str


class Named(NamedTuple):
    """A difference with how its row is called."""

    label: str
    note: str
    one: Difference


def forest(named: Sequence[Named], *, margin: float = 0.0) -> Forest:
    """The plot; there must be at least one row."""
    intervals = [row.one.interval_corrected for row in named]
    low = max(-1.0, min(-margin, *(one.low for one in intervals), -0.01) * 1.08)
    high = min(1.0, max(*(one.high for one in intervals), 0.01, margin) * 1.08)
    span = high - low

    def at(value: float) -> str:
        return f"{(value - low) / span * 100:.2f}"

    def wide(value: float) -> str:
        return f"{value / span * 100:.2f}"

    return Forest(
        bars=tuple(
            Bar(
                label=row.label,
                note=row.note,
                low=at(row.one.interval_corrected.low),
                width=wide(row.one.interval_corrected.high - row.one.interval_corrected.low),
                at=at(row.one.difference),
                mark=MARKS[row.one.verdict],
                figures=signed(row.one),
                says=visible(row.one.says),
            )
            for row in named
        ),
        ticks=tuple(
            Tick(at(value), _points(value))
            for value in _ticks(low, high)
            if EDGE < (value - low) / span < 1 - EDGE
        ),
        zero=at(0.0),
        margin=at(-margin) if margin else "",
        margin_width=wide(margin),
    )


def _ticks(low: float, high: float) -> list[float]:
    """At most about eight, on round numbers, with 0 among them."""
    step = next((one for one in STEPS if (high - low) / one <= 8), STEPS[-1])
    return [place * step for place in range(ceil(low / step), floor(high / step) + 1)]


def _points(value: float) -> str:
    said = f"{value * 100:+.0f}"
    return "0" if said in ("+0", "-0") else said.replace("-", "−")


class Steps(NamedTuple):
    """The differences of all tasks, sorted: how many lost, how many stayed, how many gained."""

    svg: str
    lost: int
    same: int
    gained: int


def steps(differences: Floats, *, same: float) -> Steps:
    """The plot of tasks; of many, each bar is the mean of its share."""
    ordered = np.sort(differences)
    groups = np.array_split(ordered, min(BARS_MAX, ordered.size))
    width = 1000 / max(1, len(groups))
    shapes = []
    for place, group in enumerate(groups):
        mean = float(group.mean())
        if abs(mean) <= same:
            continue
        look = "better" if mean > 0 else "worse"
        top, height = (50 - 46 * mean, 46 * mean) if mean > 0 else (50, -46 * mean)
        shapes.append(
            f'<rect class="{look}" x="{place * width:.2f}" y="{top:.2f}" '
            f'width="{width * 0.86:.2f}" height="{height:.2f}"/>'
        )
    lost, gained = int((ordered < -same).sum()), int((ordered > same).sum())
    return Steps(
        svg='<svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">'
        + "".join(shapes)
        + '<line x1="0" x2="1000" y1="50" y2="50"/></svg>',
        lost=lost,
        same=ordered.size - lost - gained,
        gained=gained,
    )
