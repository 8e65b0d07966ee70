"""The body arrives in pieces that know nothing of events, lines or characters."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.wire import Acts, cut_anew


@dataclass(frozen=True, slots=True, kw_only=True)
class SlicedBytes(Fault):
    """The body comes in pieces of so many bytes, or cut at these offsets and nowhere else."""

    kind: Literal["sliced_bytes"] = "sliced_bytes"
    every: int = 1
    """Bytes of each piece."""
    offsets: tuple[int, ...] = ()
    """Where the body is cut instead, in bytes from its beginning."""

    def travel(self, acts: Acts) -> Acts:
        """The same bytes, each piece written by itself."""
        return cut_anew(acts, self._after_offset if self.offsets else self._after_size)

    def _after_size(self, offset: int) -> int:
        return offset + max(1, self.every)

    def _after_offset(self, offset: int) -> int | None:
        cuts = sorted(self.offsets)
        at = bisect_right(cuts, offset)
        return cuts[at] if at < len(cuts) else None
