"""OpenAI Chat Completions: `chat.completion`, and `chat.completion.chunk`s put together."""

from __future__ import annotations

from faultloop.bench.recording.replies.meaning import (
    Json,
    Meaning,
    MeantCall,
    at,
    list_at,
    number_at,
    text_at,
)
from faultloop.fakes.script import Finish

FINISHES: dict[str, Finish] = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "content_filter": "content_filter",
}


def whole(body: Json) -> Meaning:
    """Of the first choice."""
    message = at(body, "choices", 0, "message")
    meant = Meaning(
        id=text_at(body, "id"),
        text=text_at(message, "content") or text_at(message, "refusal"),
        finish=FINISHES.get(text_at(body, "choices", 0, "finish_reason")),
    )
    for call in list_at(message, "tool_calls"):
        meant.calls.append(
            MeantCall(
                id=text_at(call, "id") or None,
                tool=text_at(call, "function", "name"),
                arguments=text_at(call, "function", "arguments"),
            )
        )
    _count(meant, body)
    return meant


def streamed(events: list[Json]) -> Meaning:
    """Of the first choice; calls are told apart by their index."""
    meant = Meaning()
    calls: dict[int, MeantCall] = {}
    for event in events:
        meant.id = meant.id or text_at(event, "id")
        delta = at(event, "choices", 0, "delta")
        meant.text += text_at(delta, "content") or text_at(delta, "refusal")
        for piece in list_at(delta, "tool_calls"):
            call = calls.setdefault(number_at(piece, "index"), MeantCall())
            call.id = call.id or text_at(piece, "id") or None
            call.tool = call.tool or text_at(piece, "function", "name")
            call.arguments += text_at(piece, "function", "arguments")
        reason = text_at(event, "choices", 0, "finish_reason")
        meant.finish = FINISHES.get(reason) or meant.finish
        _count(meant, event)
    meant.calls = [call for _, call in sorted(calls.items())]
    return meant


def _count(meant: Meaning, body: Json) -> None:
    meant.prompt_tokens = number_at(body, "usage", "prompt_tokens") or meant.prompt_tokens
    meant.completion_tokens = (
        number_at(body, "usage", "completion_tokens") or meant.completion_tokens
    )
