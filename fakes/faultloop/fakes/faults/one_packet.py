"""Something on the way collects the whole response and lets it go at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.wire import Acts, Cork, Delivered, cut_anew


@dataclass(frozen=True, slots=True, kw_only=True)
class OnePacket(Fault):
    """Head, all events and the end are one write; what stalls the reply delays all of it."""

    kind: Literal["one_packet"] = "one_packet"

    def travel(self, acts: Acts) -> Acts:
        """The body as one piece after all waiting, and nothing sent before it is complete."""
        late = (bytes, Delivered)
        body = cut_anew(tuple(act for act in acts if isinstance(act, late)), lambda offset: None)
        others = tuple(act for act in acts if not isinstance(act, late))
        return Cork(), *others[:-1], *body, *others[-1:]
