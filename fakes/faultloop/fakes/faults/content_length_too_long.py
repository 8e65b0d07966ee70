"""The head promises more bytes than the body has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.wire import Acts, Break, End, Head, Trailers, body_bytes, with_head


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentLengthTooLong(Fault):
    """`Content-Length` says more than is sent; then the connection is closed, or held open."""

    kind: Literal["content_length_too_long"] = "content_length_too_long"
    by_bytes: int = 10
    """How many bytes never come."""
    then: Literal["closed", "held"] = "closed"
    """What happens after the last byte; `held`: nothing, for as long as the client stays."""

    def travel(self, acts: Acts) -> Acts:
        """The same body under a length that is too great, without its proper end."""
        says = body_bytes(acts) + self.by_bytes
        longer = with_head(acts, lambda head: Head(head.headers, says))
        # A trailer goes with its chunks.
        kept = (act for act in longer if not isinstance(act, Trailers))
        return tuple(Break(self.then) if isinstance(act, End) else act for act in kept)
