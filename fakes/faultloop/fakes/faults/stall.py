"""The stream stops moving while the connection stays open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Item, Stall


@dataclass(frozen=True, slots=True, kw_only=True)
class Stalled(Fault):
    """After some deltas nothing is sent for a while."""

    kind: Literal["stall"] = "stall"
    after_deltas: int = 2
    """Deltas that arrive before it."""
    seconds: float | None = None
    """How long nothing is sent; None: until the client leaves."""

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same sequence with a pause; unchanged if the stream is over before that."""
        if self.after_deltas >= len(items):
            return items
        return (*items[: self.after_deltas], Stall(self.seconds), *items[self.after_deltas :])
