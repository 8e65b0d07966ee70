"""A tool returns far more than anybody wants to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class HugeOutput(Fault):
    """The result's data is longer by so much."""

    kind: Literal["huge_output"] = "huge_output"
    bytes: int = 1_000_000
    """By how many bytes."""

    def gateway(self) -> Gateway:
        """Done, and talkative."""
        return Gateway(pad_bytes=self.bytes)
