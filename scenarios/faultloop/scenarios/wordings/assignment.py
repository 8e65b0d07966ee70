"""Assignment: rows and columns are paired so that the pairs are worth most together.

Never greedy: the first row may have to leave the column that suits it best to another. Small tables
are tried out whole, exactly; large ones are scipy's.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

TRIED_MAX = 4
"""Up to so many rows and columns all ways are tried: at most 24."""


def best(worth: Sequence[Sequence[int]]) -> tuple[int | None, ...]:
    """For each row the column that it is paired with; None for rows that are left over.

    Of several ways that are worth the same, small tables give the first: rows from the top take
    columns from the left.
    """
    rows, columns = len(worth), len(worth[0]) if worth else 0
    if not columns:
        return (None,) * rows
    if max(rows, columns) > TRIED_MAX:
        return _solved(worth, rows)
    if rows <= columns:
        return max(
            permutations(range(columns), rows),
            key=lambda way: sum(worth[row][column] for row, column in enumerate(way)),
        )
    back = best([[worth[row][column] for row in range(rows)] for column in range(columns)])
    taken = {row: column for column, row in enumerate(back)}
    return tuple(taken.get(row) for row in range(rows))


def _solved(worth: Sequence[Sequence[int]], rows: int) -> tuple[int | None, ...]:
    import numpy
    from scipy.optimize import linear_sum_assignment  # a third of a second, and rarely needed

    table = numpy.asarray(worth, dtype=float)
    found, columns = linear_sum_assignment(table, maximize=True)
    taken: dict[int, int] = dict(zip(found.tolist(), columns.tolist(), strict=True))
    return tuple(taken.get(row) for row in range(rows))
