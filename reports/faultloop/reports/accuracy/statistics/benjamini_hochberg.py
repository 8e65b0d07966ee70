"""Benjamini and Hochberg's correction: of what is called a finding, one in twenty may be none.

For slices, which nobody declared before. Benjamini and Hochberg, J. R. Stat. Soc. B 57 (1995) 289.
"""

from __future__ import annotations

from collections.abc import Sequence


def benjamini_hochberg(ps: Sequence[float]) -> tuple[float, ...]:
    """Each p corrected, in the order given."""
    corrected: dict[int, float] = {}
    lowest = 1.0
    by_size = sorted(range(len(ps)), key=lambda place: ps[place], reverse=True)
    for step, place in enumerate(by_size):
        lowest = min(lowest, ps[place] * len(ps) / (len(ps) - step))
        corrected[place] = lowest
    return tuple(corrected[place] for place in range(len(ps)))
