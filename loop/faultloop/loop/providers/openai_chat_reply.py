"""What comes back from OpenAI's Chat Completions, read into deltas (SPEC P3).

Lenient about everything that is not needed: servers that call themselves compatible leave fields
out, send null for them, or add their own. What is needed and wrong is damage of the wire, and is
raised as such; it never becomes half a reply.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from faultloop.loop.message import FinishReason
from faultloop.loop.providers.failures import from_code
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


class _Function(msgspec.Struct):
    name: str | None = None
    arguments: str | dict[str, Any] | None = None


class _ToolCall(msgspec.Struct):
    index: int | None = None
    id: str | None = None
    function: _Function | None = None


class _Said(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None


class _Choice(msgspec.Struct):
    index: int = 0
    delta: _Said | None = None
    message: _Said | None = None
    finish_reason: str | None = None


class _Cached(msgspec.Struct):
    cached_tokens: int | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _Cached | None = None


class _Chunk(msgspec.Struct):
    """A streamed chunk, or a whole completion: they differ in `delta` and `message`."""

    choices: list[_Choice] | None = None
    usage: _Usage | None = None
    error: Any = None


class ErrorBody(msgspec.Struct):
    """What an error says about itself."""

    message: str = ""
    code: str | None = None


def of_chunk(data: str | bytes) -> Iterator[Delta]:
    """The deltas of one streamed chunk, in the order in which they matter."""
    chunk = _decode(data, "a streamed chunk")
    for choice in chunk.choices or ():
        if choice.index == 0 and choice.delta is not None:
            yield from _of_said(choice.delta, numbered=False)
        if choice.index == 0 and choice.finish_reason:
            yield _finish(choice.finish_reason)
    if chunk.usage is not None:
        yield _usage(chunk.usage)


def of_whole(data: str | bytes) -> Iterator[Delta]:
    """The deltas of a whole completion, its end mark included: it came complete or not at all."""
    completion = _decode(data, "a whole completion")
    if not completion.choices or completion.choices[0].message is None:
        raise ProviderFailure("broken", "the provider's completion holds no message")
    choice = completion.choices[0]
    yield from _of_said(completion.choices[0].message, numbered=True)
    if choice.finish_reason:
        yield _finish(choice.finish_reason)
    if completion.usage is not None:
        yield _usage(completion.usage)
    yield EndDelta()


def error_of(raw: bytes) -> ErrorBody:
    """The error in a body, in any of the shapes that servers use; its text where it has none."""
    try:
        decoded = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ErrorBody(message=raw.decode("utf-8", "replace").strip())
    return _error_in(decoded.get("error", decoded) if isinstance(decoded, dict) else decoded)


def _error_in(found: object) -> ErrorBody:
    if not isinstance(found, dict):
        return ErrorBody(message=str(found))
    code = found.get("code") or found.get("type")
    return ErrorBody(
        message=str(found.get("message") or found), code=str(code) if code is not None else None
    )


def _of_said(said: _Said, *, numbered: bool) -> Iterator[Delta]:
    for text in (said.content, said.refusal):
        if text:
            yield TextDelta(text)
    for number, call in enumerate(said.tool_calls or ()):
        function = call.function or _Function()
        yield CallDelta(
            index=number if numbered else call.index,
            id=call.id or None,
            name=function.name or None,
            arguments=_arguments(function.arguments),
        )


def _arguments(given: str | dict[str, Any] | None) -> str:
    """Some servers send the arguments decoded; the text is what the loop works with."""
    if isinstance(given, dict):
        return msgspec.json.encode(given).decode()
    return given or ""


def _finish(word: str) -> FinishDelta:
    return FinishDelta(FINISH_REASONS.get(word, "other"), word)


def _usage(usage: _Usage) -> UsageDelta:
    details = usage.prompt_tokens_details
    return UsageDelta(
        input_tokens=usage.prompt_tokens or 0,
        output_tokens=usage.completion_tokens or 0,
        cached_tokens=(details.cached_tokens if details else None) or 0,
    )


def _decode(data: str | bytes, what: str) -> _Chunk:
    try:
        chunk = _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        chunk = _decode_halves(data, what)
    if chunk.error is not None:
        said = _error_in(chunk.error)
        raise from_code(said.code, said.message)
    return chunk


def _decode_halves(data: str | bytes, what: str) -> _Chunk:
    """Some servers escape a character's two halves in two chunks, which the fast reader refuses.
    The assembler joins them again."""
    try:
        return msgspec.convert(json.loads(data), _Chunk)
    except (ValueError, RecursionError) as error:
        raise ProviderFailure("broken", f"{what} cannot be read: {error}") from error


_DECODER = msgspec.json.Decoder(_Chunk)
