"""Order flips: how often a choice changes with the order in which the tools are listed.

Counted by pairs of askings of one task. Two in different orders that chose differently are a flip;
two in the same order that chose differently show how much is mere chance. With two orders asked
once each, the rate is the share of tasks that flipped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from faultloop.reports.accuracy.statistics.arrays import Floats, Ints


class OrderFlips(NamedTuple):
    """One number for each task; not a number where a task has no such pair."""

    across: Floats
    """Share of the pairs in different orders that chose differently."""
    within: Floats
    """Share of the pairs in the same order that chose differently."""


def order_flips(tasks: Ints, orders: Ints, choices: Ints, count: int) -> OrderFlips:
    """From three columns of askings; tasks are numbered from 0 to `count` - 1."""
    every = _pairs(tasks, (), count)
    same_order = _pairs(tasks, (orders,), count)
    agreed = _pairs(tasks, (choices,), count)
    agreed_in_order = _pairs(tasks, (orders, choices), count)
    across, agreed_across = every - same_order, agreed - agreed_in_order
    with np.errstate(invalid="ignore", divide="ignore"):
        return OrderFlips(
            across=np.where(across > 0, 1 - agreed_across / across, np.nan),
            within=np.where(same_order > 0, 1 - agreed_in_order / same_order, np.nan),
        )


def _pairs(tasks: Ints, alike: tuple[Ints, ...], count: int) -> Floats:
    """For each task how many pairs of its askings are alike in these columns."""
    key = tasks.astype(np.int64)
    for column in alike:
        key = key * (int(column.max(initial=0)) + 1) + column
    _, places, sizes = np.unique(key, return_index=True, return_counts=True)
    weights = sizes * (sizes - 1) / 2
    return np.bincount(tasks[places], weights=weights, minlength=count).astype(np.float64)
