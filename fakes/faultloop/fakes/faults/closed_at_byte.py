"""The server closes the connection at a byte (TCP FIN), without the body's proper end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.wire import Acts, Break, broken_off


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedAtByte(Fault):
    """After so many bytes of the body the connection is closed, as by a server that dies."""

    kind: Literal["closed_at_byte"] = "closed_at_byte"
    after_bytes: int | None = None
    """Bytes of the body that still arrive; None: all of it, and only its end is missing."""

    def travel(self, acts: Acts) -> Acts:
        """The bytes up to there, then the break; unchanged if the body is over before that."""
        return broken_off(acts, self.after_bytes, Break("closed"))
