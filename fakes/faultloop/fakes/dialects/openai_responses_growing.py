"""Items of a streamed response on their way: what has come of a message, and of a call."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from faultloop.fakes.dialects.openai_responses_objects import CallItem, message_item, text_part

Object = dict[str, Any]

_encode = msgspec.json.Encoder().encode


class DeltaAround(NamedTuple):
    """What stands around the text of a delta: the most frequent events are spelt with it."""

    before: bytes
    after: bytes


def delta_around(name: str, *, before: Object, after: Object) -> DeltaAround:
    """What is spelt once for all deltas of an item: the fields before the text and after it."""
    head = _encode({"type": name, **before, "delta": ""})
    tail = _encode({**after, "sequence_number": 0})
    return DeltaAround(
        b"event: " + name.encode() + b"\ndata: " + head.removesuffix(b'""}'),
        b"," + tail.removeprefix(b"{").removesuffix(b"0}"),
    )


class CallOnItsWay:
    """The item of a call on its way."""

    def __init__(self, item: CallItem, output_index: int) -> None:
        self.output_index = output_index
        self.is_last = False
        """It is where the reply ends."""
        self.status = "in_progress"
        self.expected: str | None = None
        """All of its arguments; None where the reply has no such call."""
        self.arguments = ""
        self.be(item)

    def be(self, item: CallItem) -> None:
        """From now on it is this item."""
        self.item = item
        self.delta = delta_around(
            f"{item.event}.delta",
            before={},
            after={"item_id": item.id, "output_index": self.output_index},
        )

    @property
    def is_whole(self) -> bool:
        """Nothing of it is still to come."""
        return self.arguments == self.expected

    def object(self) -> Object:
        """The item as it is now."""
        return self.item.spelt(self.arguments, self.status)


class MessageOnItsWay:
    """The message item on its way."""

    def __init__(self, id_: str, output_index: int, *, is_refusal: bool) -> None:
        self.id = id_
        self.output_index = output_index
        self.is_refusal = is_refusal
        self.event = "response.refusal" if is_refusal else "response.output_text"
        self.more: Object = {} if is_refusal else {"logprobs": []}
        """What is said of a text and not of a refusal."""
        self.status = "in_progress"
        self.text = ""
        self.delta = delta_around(
            f"{self.event}.delta",
            before={"content_index": 0},
            after={"item_id": id_, **self.more, "output_index": output_index},
        )

    def part(self) -> Object:
        """Its one part as it is now."""
        return text_part(self.text, is_refusal=self.is_refusal)

    def object(self) -> Object:
        """The item as it is now."""
        return message_item(self.id, self.text, self.status, is_refusal=self.is_refusal)


def told_late(known: CallItem, told: CallItem) -> CallItem:
    """What is known of a call together with what is told of it now."""
    return CallItem(
        known.id,
        told.call_id or known.call_id,
        told.place if told.has_name else known.place,
        has_name=told.has_name or known.has_name,
    )
