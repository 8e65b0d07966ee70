"""What a stage hands back: replies and rejections for the wire, results for the tools.

Plain values. Whoever carries them (the ASGI app, the direct port) sends what they say, reports how
far it came, and adds nothing.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.faults.armed import Strike
from faultloop.fakes.faults.base import ByteFault
from faultloop.fakes.recorded import Recorded
from faultloop.fakes.reply import (
    CallArguments,
    CallBegan,
    EndMark,
    Finished,
    Garbled,
    Item,
    Reply,
    Reset,
)
from faultloop.fakes.tooling.told import Told


class Ending(NamedTuple):
    """How the sending of a reply ended; goes to `Stage.closed`."""

    outcome: Literal["sent", "reset", "cut", "client_gone"]
    calls_complete: tuple[str, ...]
    """Ids of the calls that were delivered to their last byte."""
    items: int
    """How many items were sent, or begun where they are troubles."""


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """The model replies."""

    request: int
    reply: Reply
    items: tuple[Item, ...]
    """What goes on the wire in this order; for a whole reply the deltas that it amounts to."""
    streaming: bool
    frame: Frame
    unsaid: frozenset[str] = frozenset()
    """Ids of calls that the dialect has no form for: they are delivered to nobody."""
    repeats: bool = False
    """The dialect says each item again when it is over (`Dialect.repeats`)."""
    is_smooth: bool = False
    """No fault of the stream has been at the items."""
    byte_faults: tuple[tuple[Strike, ByteFault], ...] = ()
    """What is due to happen to its bytes, in this order."""
    recorded: Recorded | None = None
    """What is sent as it is, in place of the items."""

    def ending(self, sent: int, *, gone: bool = False, broken: str = "") -> Ending:
        """How it ended when the first `sent` items were delivered (troubles count as items).

        `gone`: the client let go before the end. `broken`: how the connection ended below the
        items (`wire.Break.how`), if it did.
        """
        calls = self.reply.calls
        if self.is_smooth and sent == len(self.items) and not (gone or broken):
            said = [call.id for call in calls if call.id not in self.unsaid]
            return Ending("sent", tuple(said), sent)
        left = [*range(len(calls))]  # those that have not begun
        at: dict[int, int] = {}  # the call that an index stands for
        chars = [0] * len(calls)
        kinds: set[type[Item]] = set()
        for item in map(self._told, self.items[:sent]):
            if type(item) is CallArguments and Finished not in kinds:
                number = at.get(item.index)
                if number is None:
                    number = _begin(at, left, item.index, next(iter(left), None))
                if number is not None:
                    chars[number] += len(item.text)
            elif type(item) is CallBegan:
                named = next((number for number in left if calls[number].id == item.id), None)
                if named is not None and (item.tool is not None or item.index not in at):
                    _begin(at, left, item.index, named)
                elif item.index not in at:  # nothing says which it is
                    _begin(at, left, item.index, next(iter(left), None))
            kinds.add(type(item))
        complete = tuple(
            call.id
            for number, call in enumerate(calls)
            if number not in left
            and chars[number] == len(call.arguments)
            and call.id not in self.unsaid
        )
        if gone:
            return Ending("client_gone", complete, sent)
        if Reset in kinds or broken == "reset" or (broken and Finished not in kinds):
            return Ending("reset", complete, sent)
        is_over = Finished in kinds or EndMark in kinds
        return Ending("sent" if is_over else "cut", complete, sent)

    def _told(self, item: Item) -> Item:
        """What a client learns by it, at once or when its item is over."""
        return item.lost if type(item) is Garbled and self.repeats else item


def _begin(at: dict[int, int], left: list[int], index: int, number: int | None) -> int | None:
    """An index stands for this call of those that are left from here on; None: for none."""
    if number is not None:
        left.remove(number)
        at[index] = number
    return number


class Rejected(msgspec.Struct, frozen=True, kw_only=True):
    """The provider answers with an HTTP error instead of a reply."""

    request: int
    status: int
    message: str
    code: str | None = None
    param: str | None = None
    retry_after_s: float | None = None
    page: str | None = None
    """An HTML page that a gateway sends in place of the provider's own error body."""
    recorded: Recorded | None = None
    """What is sent as it is, to requests of its own dialect."""


Answer = Said | Rejected


class ToolAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The world's answer to one invocation, and how HTTP spells it."""

    invocation: int
    status: int
    """0: the connection breaks in place of an answer."""
    content_type: str
    body: bytes
    told: Told
    """What it says, for another transport."""
    copies: int = 1
    """How often it arrives."""
