"""Holm's step-down correction: several pairs, and one chance in twenty of any false alarm at all.

Holm, Scand. J. Stat. 6 (1979) 65. The level that comes with each p is that of the step at which
Holm tests it, so that an interval at this level agrees with the corrected p.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Corrected(NamedTuple):
    """One of several p, corrected."""

    p: float
    level: float
    """Confidence level of the interval that agrees, such as 0.975 for the smaller of two."""


def holm(ps: Sequence[float], *, alpha: float = 0.05) -> tuple[Corrected, ...]:
    """Each p corrected, in the order given."""
    corrected: dict[int, Corrected] = {}
    highest = 0.0
    for step, place in enumerate(sorted(range(len(ps)), key=lambda place: ps[place])):
        left = len(ps) - step
        highest = max(highest, min(1.0, ps[place] * left))
        corrected[place] = Corrected(highest, 1 - alpha / left)
    return tuple(corrected[place] for place in range(len(ps)))
