"""What comes back from OpenAI's Chat Completions, read into deltas (SPEC P3).

Lenient about everything that is not needed: servers that call themselves compatible leave fields
out, send null for them, or add their own. What is needed and wrong is damage of the wire, and is
raised as such; it never becomes half a reply.
"""

from __future__ import annotations

import json
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


class ErrorBody(msgspec.Struct):
    """What an error says about itself."""

    message: str = ""
    code: str | None = None


def of_chunk(data: str | bytes) -> list[Delta]:
    """The deltas of one streamed chunk, in the order in which they matter."""
    chunk = _decode(data, "a streamed chunk")
    deltas: list[Delta] = []
    for choice in chunk.choices or ():
        if choice is None or _number(choice.index):
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


def _of_said(said: _Said, *, numbered: bool) -> list[Delta]:
    deltas: list[Delta] = []
    for given in (said.content, said.refusal):
        if given and (text := _text(given)):
            deltas.append(TextDelta(text))
    calls = [call for call in said.tool_calls if call is not None] if said.tool_calls else ()
    for number, call in enumerate(calls):
        function = call.function or _NOTHING
        deltas.append(
            CallDelta(
                index=number if numbered else _number(call.index),
                id=_word(call.id) or None,
                name=_word(function.name) or None,
                arguments=_arguments(function.arguments),
            )
        )
    return deltas


def _text(content: Any) -> str:
    """A text as such, or in parts, as newer servers send it."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return "".join(text for text in texts if isinstance(text, str))


def _arguments(given: Any) -> str:
    """Some servers send the arguments decoded; the text is what the loop works with."""
    if given is None or isinstance(given, str):
        return given or ""
    return json.dumps(given, ensure_ascii=False, separators=(",", ":"))


def _finish(given: Any) -> tuple[FinishDelta, ...]:
    word = _word(given)
    return (FinishDelta(FINISH_REASONS.get(word, "other"), word),) if word else ()


def _usage(given: Any) -> tuple[UsageDelta, ...]:
    """Nothing where nothing was counted: that is not the same as none."""
    if not isinstance(given, dict):
        return ()
    read, written = _number(given.get("prompt_tokens")), _number(given.get("completion_tokens"))
    if read is None and written is None:
        return ()
    details = given.get("prompt_tokens_details")
    cached = _number(details.get("cached_tokens")) if isinstance(details, dict) else None
    counted = UsageDelta(
        input_tokens=read or 0, output_tokens=written or 0, cached_tokens=cached or 0
    )
    return (counted,)


def _word(given: Any) -> str:
    """A name or id; some servers number them. 0 and false mean none."""
    if isinstance(given, str):
        return given
    return str(given) if given and isinstance(given, int | float) else ""


def _number(given: Any) -> int | None:
    """A whole number, also where it came as a float or in quotes; None for anything else."""
    try:
        return int(given) if isinstance(given, int | float | str) else None
    except (ValueError, OverflowError):
        return None


def _decode(data: str | bytes, what: str) -> _Chunk:
    try:
        chunk = _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        chunk = _decode_halves(data, what)
    if chunk.error:
        said = _error_in(chunk.error)
        raise from_code(said.code, said.message)
    return chunk


def _decode_halves(data: str | bytes, what: str) -> _Chunk:
    """Some servers escape a character's two halves in two chunks, which the fast reader refuses.
    The assembler joins them again."""
    try:
        return msgspec.convert(json.loads(data), _Chunk)
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise ProviderFailure("broken", f"{what} cannot be read: {why}") from error


_DECODER = msgspec.json.Decoder(_Chunk)
_NOTHING = _Function()
