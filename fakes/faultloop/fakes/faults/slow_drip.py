"""The line is slow: bytes arrive at a rate, not in events."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.wire import Act, Acts, Wait, body_bytes

DRIPS_PER_S_MAX = 20
"""A fast line is not cut into more pieces a second than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowDrip(Fault):
    """The body comes at so many bytes a second, byte by byte where that is slow."""

    kind: Literal["slow_drip"] = "slow_drip"
    bytes_per_s: float = 100.0
    """The rate."""
    seconds_max: float | None = None
    """A body that would take longer comes faster, in so many seconds."""

    def travel(self, acts: Acts) -> Acts:
        """The same bytes in drips, with a pause before each."""
        rate = self.bytes_per_s
        if self.seconds_max:
            rate = max(rate, body_bytes(acts) / self.seconds_max)
        size = ceil(rate / DRIPS_PER_S_MAX)
        out: list[Act] = []
        for act in acts:
            if not isinstance(act, bytes):
                out.append(act)
                continue
            for start in range(0, len(act), size):
                drip = act[start : start + size]
                out += [Wait(len(drip) / rate), drip]
        return tuple(out)
