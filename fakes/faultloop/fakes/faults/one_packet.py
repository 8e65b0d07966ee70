"""Something on the way collects the whole response and lets it go at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.wire import Acts, Cork, Delivered, after_body, cut_anew


@dataclass(frozen=True, slots=True, kw_only=True)
class OnePacket(Fault):
    """Head, all events and the end are one write; what stalls the reply delays all of it."""

    kind: Literal["one_packet"] = "one_packet"

    def travel(self, acts: Acts) -> Acts:
        """The body as one piece after all waiting, and nothing sent before it is complete."""
        late = (bytes, Delivered)
        end = after_body(acts)
        body = cut_anew(tuple(a for a in acts[:end] if isinstance(a, late)), lambda offset: None)
        others = (act for act in acts[:end] if not isinstance(act, late))
        return Cork(), *others, *body, *acts[end:]
