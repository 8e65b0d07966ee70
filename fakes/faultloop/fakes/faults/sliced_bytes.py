"""The body arrives in pieces that know nothing of events, lines or characters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.wire import Acts, cut_anew

WRITES_MAX = 2_000
"""What a dialect writes at once does not come in more pieces than about so many, but in larger
ones: a response may repeat its whole request, a hundred times longer than what is new in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlicedBytes(Fault):
    """The body comes in pieces of so many bytes, or cut at these offsets and nowhere else."""

    kind: Literal["sliced_bytes"] = "sliced_bytes"
    every: int = 1
    """Bytes of each piece; more where a single write is longer than 2,000 of them."""
    offsets: tuple[int, ...] = ()
    """Where the body is cut instead, in bytes from its beginning."""

    def travel(self, acts: Acts) -> Acts:
        """The same bytes, each piece written by itself."""
        return cut_anew(acts, self._after_offset if self.offsets else self._after_size(acts))

    def _after_size(self, acts: Acts) -> Callable[[int], int]:
        """Where a piece ends that begins at an offset: its size is that of the write it is of."""
        least = max(1, self.every)
        writes = [len(act) for act in acts if isinstance(act, bytes)]
        ends = list(accumulate(writes))
        sizes = [*(max(least, ceil(write / WRITES_MAX)) for write in writes), least]

        def after(offset: int) -> int:
            at = bisect_right(ends, offset)
            end = offset + sizes[at]
            return end if sizes[at] == least else min(end, ends[at])

        return after

    def _after_offset(self, offset: int) -> int | None:
        cuts = sorted(self.offsets)
        at = bisect_right(cuts, offset)
        return cuts[at] if at < len(cuts) else None
