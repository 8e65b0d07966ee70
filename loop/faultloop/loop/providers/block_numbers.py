"""The numbers of calls, where an API numbers all that a reply holds and not its calls alone.

The assembler wants a call's place among the calls: one that seems to have others before it waits
for them. Blocks or items that were seen before the first call are taken off all numbers, once and
for all, so that calls keep their order and none gets the number of another.
"""

from __future__ import annotations


class BlockNumbers:
    """Those of one reply."""

    def __init__(self) -> None:
        self._others: set[int] = set()
        self._before: int | None = None
        """How many others there are before the first call, once one has come."""

    def other(self, at: int | None) -> None:
        """Something that is no call is at this place."""
        if at is not None:
            self._others.add(at)

    def call(self, at: int | None) -> int | None:
        """The number of the call at this place; None where the place was not told."""
        if at is None:
            return None
        if self._before is None:
            self._before = sum(other < at for other in self._others)
        return at - self._before
