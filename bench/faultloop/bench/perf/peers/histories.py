"""Conversations that no provider takes, and a right one beside them: `HISTORIES`.

Each is the same for all three servers, who were told to answer with a text. A dialect is in a row
where its provider is known to reject it (docs/strictness.md has the sources).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

Message = dict[str, object]


class History(NamedTuple):
    """One request."""

    name: str
    """What it is called on the command line."""
    says: str
    dialect: str
    body: dict[str, object]


SAYS = {
    "right": "a right history: one call, its result",
    "orphan-call": "a call without a result, and the user goes on",
    "orphan-result": "a result whose call nobody made",
    "duplicate-result": "two results for one call",
    "unknown-role": "a message of the role `captain`",
    "call-first": "a history that opens with a call, as a shortened one may",
}


def _chat(*messages: Message) -> dict[str, object]:
    return {"model": "m", "messages": [{"role": "user", "content": "Go."}, *messages]}


def _responses(*items: Message) -> dict[str, object]:
    return {"model": "m", "input": [{"role": "user", "content": "Go."}, *items]}


def _anthropic(*messages: Message) -> dict[str, object]:
    first = {"role": "user", "content": "Go."}
    return {"model": "m", "max_tokens": 99, "messages": [first, *messages]}


def _gemini(*contents: Message) -> dict[str, object]:
    return {"contents": [{"role": "user", "parts": [{"text": "Go."}]}, *contents]}


_FUNCTION = {"name": "read_file", "arguments": "{}"}
_CHAT_CALL: Message = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "call_1", "type": "function", "function": _FUNCTION}],
}
_CHAT_RESULT: Message = {"role": "tool", "tool_call_id": "call_1", "content": "ok"}
_CHAT_MORE: Message = {"role": "user", "content": "Well?"}

_CALL: Message = {"type": "function_call", "call_id": "call_1", **_FUNCTION}
_OUTPUT: Message = {"type": "function_call_output", "call_id": "call_1", "output": "ok"}

_TOOL_USE = {"type": "tool_use", "id": "toolu_1", "name": "read_file", "input": {}}
_TOOL_RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"}
_MODEL_USES: Message = {"role": "assistant", "content": [_TOOL_USE]}

_FUNCTION_CALL: Message = {
    "functionCall": {"name": "read_file", "args": {}},
    "thoughtSignature": "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=",
}
_MODEL_CALLS: Message = {"role": "model", "parts": [_FUNCTION_CALL]}
_PART = {"functionResponse": {"name": "read_file", "response": {"output": "ok"}}}
_ANSWER: Message = {"role": "user", "parts": [_PART]}

BODIES: dict[tuple[str, str], dict[str, object]] = {
    ("right", "openai_chat"): _chat(_CHAT_CALL, _CHAT_RESULT),
    ("right", "openai_responses"): _responses(_CALL, _OUTPUT),
    ("right", "anthropic_messages"): _anthropic(
        _MODEL_USES, {"role": "user", "content": [_TOOL_RESULT]}
    ),
    ("right", "gemini"): _gemini(_MODEL_CALLS, _ANSWER),
    ("orphan-call", "openai_chat"): _chat(_CHAT_CALL, _CHAT_MORE),
    ("orphan-call", "openai_responses"): _responses(_CALL, {"role": "user", "content": "Well?"}),
    ("orphan-call", "anthropic_messages"): _anthropic(
        _MODEL_USES, {"role": "user", "content": "Well?"}
    ),
    ("orphan-call", "gemini"): _gemini(
        _MODEL_CALLS, {"role": "user", "parts": [{"text": "Well?"}]}
    ),
    ("orphan-result", "openai_chat"): _chat({"role": "assistant", "content": "Hm."}, _CHAT_RESULT),
    ("orphan-result", "openai_responses"): _responses(_OUTPUT),
    ("orphan-result", "anthropic_messages"): _anthropic(
        {"role": "assistant", "content": "Hm."}, {"role": "user", "content": [_TOOL_RESULT]}
    ),
    ("orphan-result", "gemini"): _gemini({"role": "model", "parts": [{"text": "Hm."}]}, _ANSWER),
    ("duplicate-result", "openai_chat"): _chat(_CHAT_CALL, _CHAT_RESULT, _CHAT_RESULT),
    ("duplicate-result", "anthropic_messages"): _anthropic(
        _MODEL_USES, {"role": "user", "content": [_TOOL_RESULT, _TOOL_RESULT]}
    ),
    ("duplicate-result", "gemini"): _gemini(
        _MODEL_CALLS, {"role": "user", "parts": [_PART, _PART]}
    ),
    ("unknown-role", "openai_chat"): _chat({"role": "captain", "content": "Well?"}),
    ("unknown-role", "anthropic_messages"): _anthropic({"role": "captain", "content": "Well?"}),
    ("unknown-role", "gemini"): _gemini({"role": "captain", "parts": [{"text": "Well?"}]}),
    ("call-first", "gemini"): {"contents": [_MODEL_CALLS, _ANSWER]},
}


def _histories() -> Iterator[History]:
    for (what, dialect), body in BODIES.items():
        yield History(name=f"{what}/{dialect}", says=SAYS[what], dialect=dialect, body=body)


HISTORIES = tuple(_histories())
