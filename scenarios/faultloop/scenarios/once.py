"""Once: what follows from a scenario alone is worked out once for all of its plays.

Scenarios and their worlds are frozen, but hold dictionaries, so no cache could find them by value:
they are known by identity here, for as long as they live. Nothing of a play may enter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from weakref import ref

S = TypeVar("S")
T = TypeVar("T")


def once(work: Callable[[S], T]) -> Callable[[S], T]:
    """Decorator: a pure function of one frozen value, called once for each value."""
    known: dict[int, tuple[ref[S], T]] = {}

    def of(value: S) -> T:
        key = id(value)
        if key not in known:
            known[key] = ref(value, lambda _: known.pop(key)), work(value)
        return known[key][1]

    return of
