"""Counting the tokens of a request, where it comes near a limit.

With the extra `tokens` they are counted by OpenAI's vocabulary `o200k_base`, which the package
brings along (nothing is fetched); it is the right one for OpenAI's models since gpt-4o. Anthropic
and Google publish none, so that for theirs it is an estimate, if a close one. Without the extra all
is an estimate: a token for every four bytes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec

import msgspec

from faultloop.fakes.conversation import Conversation, Message

VOCABULARY = "o200k_base"
BYTES_PER_TOKEN = 4
MESSAGE_TOKENS = 4
"""What stands around each message (OpenAI's cookbook: three, and the role)."""

CAN_COUNT = find_spec("splintr") is not None


def cannot_exceed(conversation: Conversation, tokens: int) -> bool:
    """Whether a request is too short for so many tokens, however they are counted: none has less
    than a byte."""
    raw = conversation.raw
    if raw.isascii():
        return len(raw) <= tokens
    return len(raw.encode(errors="replace")) <= tokens


def of_messages(conversation: Conversation) -> int:
    """Tokens of all that was said."""
    return sum(_of_message(message) for message in conversation.messages)


def of_tools(conversation: Conversation) -> int:
    """Tokens of the tools' definitions, as they are spelt in the body."""
    try:
        body, _ = json.JSONDecoder().raw_decode(conversation.raw)
        tools = body.get("tools") if isinstance(body, dict) else None
    except (ValueError, RecursionError):
        tools = None
    return _of_text(msgspec.json.encode(tools).decode()) if tools else 0


def _of_message(message: Message) -> int:
    called = sum(_of_text(call.name) + _of_text(call.arguments) for call in message.calls)
    return MESSAGE_TOKENS + _of_text(message.text) + called


@lru_cache(maxsize=1024)  # what was said is said again with every request that follows
def _of_text(text: str) -> int:
    return _counter()(text)


@cache
def _counter() -> Callable[[str], int]:
    if not CAN_COUNT:
        return estimate
    # The better part of a second; most requests are too short to be counted.
    tokenizer = import_module("splintr").Tokenizer.from_pretrained(VOCABULARY)
    return lambda text: len(tokenizer.encode_ordinary(text.encode(errors="replace").decode()))


def estimate(text: str) -> int:
    """Tokens of a text, by its bytes."""
    return math.ceil(len(text.encode(errors="replace")) / BYTES_PER_TOKEN)
