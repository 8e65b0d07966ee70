"""What a Messages request brings back of thinking: the blocks of what the assistant said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.signing import Seal, judged
from faultloop.fakes.strictness.levels import RuleName

Object = dict[str, Any]

THOUGHTS = ("thinking", "redacted_thinking")
OF_OUR_THOUGHTS: frozenset[RuleName] = frozenset(
    {"thinking_first", "thinking_kept", "thinking_signatures"}
)
"""Rules that take it for granted that a reply thinks where it should, and that we signed it."""

_decode = msgspec.json.Decoder(Object).decode


class Said(NamedTuple):
    """One message of the assistant's, as blocks."""

    at: int
    """Its index on the wire."""
    blocks: list[Object]
    is_last: bool
    """The assistant said nothing after it."""


def thinking_of(conversation: Conversation) -> Object:
    """The request's own setting; empty where it has none, or one that is no object."""
    setting = _body(conversation).get("thinking")
    return setting if isinstance(setting, dict) else {}


def said(conversation: Conversation) -> list[Said]:
    """The assistant's messages of a request that has to do with thinking, in their order."""
    messages = _body(conversation).get("messages") or ()
    places = [at for at, message in enumerate(messages) if message.get("role") == "assistant"]
    return [Said(at, _blocks(messages[at]), is_last=at == places[-1]) for at in places]


def seals(conversation: Conversation) -> Iterator[tuple[Said, int, Seal]]:
    """Each block of thinking: the message and the place that it is in, and what its signature is
    worth."""
    for message in said(conversation):
        for number, block in enumerate(message.blocks):
            if block.get("type") == "thinking":
                told, text = block.get("signature"), block.get("thinking")
                yield message, number, judged(str(told), str(text))


def _body(conversation: Conversation) -> Object:
    """The request. Empty where it says nothing of thinking, as most do: it is not read twice."""
    return _decode(conversation.raw) if '"thinking"' in conversation.raw else {}


def _blocks(message: Object) -> list[Object]:
    content = message.get("content")
    return content if isinstance(content, list) else []
