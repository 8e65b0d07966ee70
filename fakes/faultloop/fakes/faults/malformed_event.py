"""An event of a stream is cut on its way, so that its data is no JSON.

Only that one: a dialect that says its items again when they are over says them whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Garbled, Item, Trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class MalformedEvent(Fault):
    """The first part of an event in the place of one, and the stream goes on as if nothing were."""

    kind: Literal["malformed_event"] = "malformed_event"
    after_deltas: int = 2
    """Deltas that arrive before it."""

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same with one event cut; unchanged if the stream is over before that."""
        at = self.after_deltas
        if at >= len(items):
            return items
        lost = items[at]
        if isinstance(lost, Trouble):
            return items
        return (*items[:at], Garbled(lost), *items[at + 1 :])
