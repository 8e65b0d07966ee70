"""A reply as Messages API events: a message opens, blocks open, grow and stop, the message ends.

A block's index is its place in the message, so a call's is its own number after as many text
blocks as there were before it. A call's block stops right after the last piece of its arguments,
so that calls whose pieces come in turns stay open side by side; every other block stops when the
next one opens, or with the message.

What a well-behaved reply does not need is spelt as a broken provider would send it: gaps in the
indexes stay gaps, a call that begins again opens its block again, pieces without a beginning come
without one. Not expressible: usage that is missing, for the API has no place to send it but beside
the stop reason, where it is always sent; usage of its own is spelt only where it says something
else, as a second `message_delta`.
"""

from __future__ import annotations

from typing import Any, assert_never

import msgspec

from faultloop.fakes.dialects.anthropic_messages_input import spelt
from faultloop.fakes.dialects.anthropic_messages_thinking import thinking, tokens
from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.reply import (
    CallArguments,
    CallBegan,
    Delta,
    EndMark,
    Finished,
    Garbled,
    Noise,
    NoiseForm,
    Opened,
    ProviderError,
    Reply,
    Text,
    Thought,
    Unclosed,
    Usage,
)
from faultloop.fakes.script import Finish

DIRECT = {"type": "direct"}
"""Who called: the model itself, not a program that it wrote."""

_REASONS: dict[Finish, str] = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "length": "max_tokens",
    "content_filter": "refusal",
}

PING = b'event: ping\ndata: {"type": "ping"}\n\n'
_THINKING = (
    b"event: content_block_start\n"
    b'data: {"type":"content_block_start","index":%d,'
    b'"content_block":{"type":"thinking","thinking":"","signature":""}}\n\n'
)
_TEXT = (
    b"event: content_block_start\n"
    b'data: {"type":"content_block_start","index":%d,"content_block":{"type":"text","text":""}}\n\n'
)
_CALL = (
    b"event: content_block_start\n"
    b'data: {"type":"content_block_start","index":%d,"content_block":{"type":"tool_use",%b'
    b'%b"input":{},"caller":{"type":"direct"}}}\n\n'
)
_PIECE = (
    b"event: content_block_delta\n"
    b'data: {"type":"content_block_delta","index":%d,"delta":{"type":"%s","%s":%s}}\n\n'
)
_STOP = b'event: content_block_stop\ndata: {"type":"content_block_stop","index":%d}\n\n'
GARBLED = (
    b"event: content_block_delta\n"
    b'data: {"type":"content_block_delta","index":0,"delta":{"type":"\n\n'
)

_NOISE: dict[NoiseForm, bytes] = {
    "comment": b": keep-alive\n\n",
    "unknown_event": b'event: gateway_metrics\ndata: {"type":"gateway_metrics","queue_ms":3}\n\n',
    "null_delta": b"event: content_block_delta\n"
    b'data: {"type":"content_block_delta","index":0,"delta":null}\n\n',
    "no_choices": PING,
}
"""A stream has one message, so that what comes nearest to an event without any is a ping."""
_END = b'event: message_stop\ndata: {"type":"message_stop"}\n\n'


def ending(finish: Finish | None) -> dict[str, Any]:
    """How a message ended; None: it has not."""
    refusal = {"type": "refusal", "category": None, "explanation": None}
    return {
        "stop_reason": finish and _REASONS[finish],
        "stop_sequence": None,
        "stop_details": refusal if finish == "content_filter" else None,
    }


def message(
    reply: Reply, frame: Frame, *, id_: str, content: list[dict[str, Any]], finish: Finish | None
) -> dict[str, Any]:
    """A `message`: whole, or as it opens a stream (without content, and `finish` is None)."""
    if finish is None:
        used: dict[str, Any] = {"output_tokens": min(1, reply.completion_tokens)}
    else:
        used = {
            "output_tokens": reply.completion_tokens,
            "output_tokens_details": tokens(reply.reasoning_tokens),
        }
    return {
        "model": frame.model,
        "id": id_,
        "type": "message",
        "role": "assistant",
        "content": content,
        "container": None,
        **ending("content_filter" if finish and reply.is_refusal else finish),
        "usage": {
            "input_tokens": reply.prompt_tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            **used,
            "service_tier": "standard",
            "inference_geo": "global",
        },
        "diagnostics": None,
    }


class Events:
    """A reply as events."""

    def __init__(self, reply: Reply, frame: Frame, *, id_: str) -> None:
        self._start = message(reply, frame, id_=id_, content=[], finish=None)
        self._usage = Usage(reply.prompt_tokens, reply.completion_tokens, reply.reasoning_tokens)
        self._thinking = thinking(reply, frame)
        self._thought = len(reply.thought)
        """Characters of it that are still to come."""
        self._open_thinking: int | None = None
        """Index of the block of thinking that is open."""
        self._expected = {call.id: len(call.arguments) for call in reply.calls}
        """For each call how much text it will have."""
        self._calls: dict[int, _Call] = {}
        """By the delta's index: those that have begun."""
        self._texts = 0
        """How many blocks of text and thinking have begun."""
        self._open_text: int | None = None
        """Index of the block of text that is open."""
        self._next = 0
        self._pinged = self._finished = self._unclosed = False
        self._is_refusal = reply.is_refusal
        self._request_id = f"req_{reply.id}"

    def event(self, delta: Delta) -> bytes:
        """The events of one delta; none for usage that was sent already."""
        if isinstance(delta, Text):
            return self._text(delta.text)
        match delta:
            case CallArguments(index=index, text=text):
                return self._arguments(index, text)
            case Thought(text=text):
                return self._think(text)
            case CallBegan(index=index, id=id_, tool=tool):
                return self._call(index, id_, tool)
            case Opened():
                return _event("message_start", {"message": self._start})
            case Finished(finish=finish):
                self._finished = True
                return self._stops(all_=True) + self._delta(finish, self._usage)
            case Usage():
                if self._finished and delta == self._usage:
                    return b""
                return self._delta(None, delta)
            case EndMark():
                return _END
            case ProviderError(message=message):
                error = {"type": "overloaded_error", "message": message}
                return _event("error", {"error": error, "request_id": self._request_id})
            case Noise(form=form):
                return _NOISE[form]
            case Garbled():
                return GARBLED
            case Unclosed():
                self._unclosed = True
                return b""
            case _:
                assert_never(delta)

    # --- blocks -----------------------------------------------------------------------------

    def _think(self, text: str) -> bytes:
        thinking = self._thinking
        if thinking is None:
            return b""
        before = b""
        if self._open_thinking is None:
            before = self._stops()
            self._open_thinking = self._begin()
            before += _THINKING % self._open_thinking + self._ping()
        piece = b""
        if thinking.text:
            piece = _PIECE % (self._open_thinking, b"thinking_delta", b"thinking", spelt(text))
        self._thought -= len(text)
        return before + piece + (b"" if self._thought > 0 else self._stops())

    def _begin(self) -> int:
        """The index of a block of text or thinking that begins now."""
        self._texts += 1
        self._next += 1
        return self._next - 1

    def _ping(self) -> bytes:
        """After the first block has begun."""
        first, self._pinged = not self._pinged, True
        return PING if first else b""

    def _text(self, text: str) -> bytes:
        before = b""
        if self._open_text is None:
            before = self._stops()
            self._open_text = self._begin()
            before += _TEXT % self._open_text + self._ping()
        return before + _PIECE % (self._open_text, b"text_delta", b"text", spelt(text))

    def _call(self, index: int, id_: str | None, tool: str | None) -> bytes:
        again = self._calls.get(index)
        before = b"" if again else self._stops()
        expected = self._expected.get(id_ or "", again.expected if again else 0)
        call = _Call(again.block if again else index + self._texts, expected)
        call.sent = again.sent if again else 0
        self._calls[index] = call
        self._next = max(self._next, call.block + 1)
        begun = _CALL % (call.block, _field("id", id_), _field("name", tool))
        return before + begun + _json_piece(call.block, "")

    def _arguments(self, index: int, text: str) -> bytes:
        call = self._calls.get(index)
        if call is None:  # it never began: neither the block nor its name was sent
            return _json_piece(index + self._texts, text)
        call.sent += len(text)
        whole = call.is_open and 0 < call.expected <= call.sent
        return _json_piece(call.block, text) + (self._stops() if whole else b"")

    def _stops(self, *, all_: bool = False) -> bytes:
        """The ends of the open blocks that are over; of all when the message is."""
        over = [at for at in (self._open_thinking, self._open_text) if at is not None]
        signed = b""
        if self._open_thinking is not None and self._thinking is not None:
            signature = spelt(self._thinking.signature)
            signed = _PIECE % (self._open_thinking, b"signature_delta", b"signature", signature)
        self._open_thinking = self._open_text = None
        for call in self._calls.values():
            if call.is_open and (all_ or call.sent >= call.expected):
                call.is_open = False
                over.append(call.block)
        return signed + (b"" if self._unclosed else b"".join(_STOP % at for at in sorted(over)))

    # --- the message's end ------------------------------------------------------------------

    def _delta(self, finish: Finish | None, usage: Usage) -> bytes:
        counts = {
            "input_tokens": usage.prompt_tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": usage.completion_tokens,
            "output_tokens_details": tokens(usage.reasoning_tokens),
        }
        said: Finish | None = "content_filter" if finish and self._is_refusal else finish
        delta = {**ending(said), "container": None}
        return _event("message_delta", {"delta": delta, "usage": counts})


class _Call(msgspec.Struct):
    """A call whose block has begun."""

    block: int
    expected: int
    """Characters of argument text that it will have."""
    sent: int = 0
    is_open: bool = True


def _field(name: str, value: str | None) -> bytes:
    """A field that comes before others; nothing where it is not said."""
    return b"" if value is None else b'"%b":%b,' % (name.encode(), spelt(value))


def _event(name: str, fields: dict[str, Any]) -> bytes:
    data = spelt({"type": name, **fields})
    return b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"


def _json_piece(block: int, text: str) -> bytes:
    return _PIECE % (block, b"input_json_delta", b"partial_json", spelt(text))
