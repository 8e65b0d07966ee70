"""What comes back from OpenAI's Chat Completions, read into deltas (SPEC P3).

Lenient about everything that is not needed (`lenient`). What is needed and wrong is damage of the
wire, and is raised as such; it never becomes half a reply. The end mark is `[DONE]`, or for a whole
reply the end of its body.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from faultloop.loop.message import FinishReason
from faultloop.loop.providers.error_body import error_in
from faultloop.loop.providers.event_stream import StreamEvent
from faultloop.loop.providers.failures import from_body
from faultloop.loop.providers.lenient import (
    UNREADABLE,
    arguments,
    counted,
    halves,
    mapping,
    number,
    text,
    unreadable,
    word,
)
from faultloop.loop.providers.port import (
    CallDelta,
    Delta,
    EndDelta,
    FinishDelta,
    ProviderFailure,
    TextDelta,
    UsageDelta,
)

FINISH_REASONS: dict[str, FinishReason] = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "content_filter": "content_filter",
}
"""The wire's words; any other is `other`."""

END_MARK = "[DONE]"
MESSAGE_EVENTS = frozenset({"message", "error"})
"""Server-sent events of other types (pings and the like) carry nothing of the reply."""


class _Function(msgspec.Struct):
    name: Any = None
    arguments: Any = None


class _ToolCall(msgspec.Struct):
    index: Any = None
    id: Any = None
    function: _Function | None = None


class _Said(msgspec.Struct):
    content: Any = None
    refusal: Any = None
    tool_calls: list[_ToolCall | None] | None = None


class _Choice(msgspec.Struct):
    index: Any = 0
    delta: _Said | None = None
    message: _Said | None = None
    finish_reason: Any = None


class _Chunk(msgspec.Struct):
    """A streamed chunk, or a whole completion: they differ in `delta` and `message`.

    Only the frame is typed: choices, what is said in them, and the calls. A field typed `Any` is
    read for what it may mean, and what means nothing counts as left out.
    """

    choices: list[_Choice | None] | None = None
    usage: Any = None
    error: Any = None


class Reader:
    """Reads the events of one stream."""

    def read(self, event: StreamEvent) -> Sequence[Delta]:
        """What an event says. Raises ProviderFailure."""
        if event.type not in MESSAGE_EVENTS:
            return ()
        return (EndDelta(),) if event.data.strip() == END_MARK else of_chunk(event.data)


def of_chunk(data: str | bytes) -> list[Delta]:
    """The deltas of one streamed chunk, in the order in which they matter."""
    chunk = _decode(data, "a streamed chunk")
    deltas: list[Delta] = []
    for choice in chunk.choices or ():
        if choice is None or number(choice.index):
            continue  # a second answer to the same request, which nobody asked for
        if choice.delta is not None:
            deltas += _of_said(choice.delta, numbered=False)
        deltas += _finish(choice.finish_reason)
    deltas += _usage(chunk.usage)
    return deltas


def of_whole(data: str | bytes) -> list[Delta]:
    """The deltas of a whole completion, its end mark included: it came complete or not at all."""
    completion = _decode(data, "a whole completion")
    choice = completion.choices[0] if completion.choices else None
    if choice is None or choice.message is None:
        raise ProviderFailure("broken", "the provider's completion holds no message")
    return [
        *_of_said(choice.message, numbered=True),
        *_finish(choice.finish_reason),
        *_usage(completion.usage),
        EndDelta(),
    ]


def _of_said(said: _Said, *, numbered: bool) -> list[Delta]:
    deltas: list[Delta] = []
    for given in (said.content, said.refusal):
        if given and (said_text := text(given)):
            deltas.append(TextDelta(said_text))
    calls = [call for call in said.tool_calls if call is not None] if said.tool_calls else ()
    for place, call in enumerate(calls):
        function = call.function or _NOTHING
        deltas.append(
            CallDelta(
                index=place if numbered else number(call.index),
                id=word(call.id) or None,
                name=word(function.name) or None,
                arguments=arguments(function.arguments),
            )
        )
    return deltas


def _finish(given: Any) -> tuple[FinishDelta, ...]:
    reason = word(given)
    return (FinishDelta(FINISH_REASONS.get(reason, "other"), reason),) if reason else ()


def _usage(given: Any) -> tuple[UsageDelta, ...]:
    if not given:  # of most chunks
        return ()
    found = mapping(given)
    return counted(
        number(found.get("prompt_tokens")),
        number(found.get("completion_tokens")),
        number(mapping(found.get("prompt_tokens_details")).get("cached_tokens")),
    )


def _decode(data: str | bytes, what: str) -> _Chunk:
    try:
        chunk = _DECODER.decode(data)
    except UNREADABLE:
        try:
            chunk = msgspec.convert(halves(data, what), _Chunk)
        except (ValueError, RecursionError) as error:
            raise unreadable(what, error) from error
    if chunk.error:
        raise from_body(error_in(chunk.error))
    return chunk


_DECODER = msgspec.json.Decoder(_Chunk)
_NOTHING = _Function()
