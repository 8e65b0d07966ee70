"""The head promises fewer bytes than the body has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.wire import Act, Acts, Cork, End, Excess, Head, body_bytes, parted, with_head


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentLengthTooShort(Fault):
    """`Content-Length` says less than is sent: the body seems complete, and the rest follows it."""

    kind: Literal["content_length_too_short"] = "content_length_too_short"
    by_bytes: int = 10
    """How many bytes come after the end; as the next response, if the connection is kept."""

    def travel(self, acts: Acts) -> Acts:
        """The body up to the length, the rest in the same packet; unchanged where none is left."""
        says = body_bytes(acts) - self.by_bytes
        if says <= 0 or not isinstance(acts[-1], End):
            return acts
        before, after = parted(with_head(acts, lambda head: Head(head.headers, says)), says)
        rest = b"".join(map(_left_over, after))
        last = max(at for at, act in enumerate(before) if isinstance(act, bytes))
        packet: tuple[Act, ...] = (Cork(), *before[last:], Excess(rest), End())
        return *before[:last], *packet


def _left_over(act: Act) -> bytes:
    """What an act sends beyond the length; a trailer goes with its chunks."""
    if isinstance(act, Excess):
        return act.data
    return act if isinstance(act, bytes) else b""
