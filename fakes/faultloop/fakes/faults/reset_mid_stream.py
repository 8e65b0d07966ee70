"""The connection breaks in the middle of the stream (TCP RST where the transport can)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Item, Reset


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetMidStream(Fault):
    """After some deltas nothing follows, and there is no proper end."""

    kind: Literal["reset_mid_stream"] = "reset_mid_stream"
    after_deltas: int = 2
    """Deltas that still arrive."""

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The first deltas, then the break; unchanged if the stream is over before that."""
        if self.after_deltas >= len(items):
            return items
        return (*items[: self.after_deltas], Reset())
