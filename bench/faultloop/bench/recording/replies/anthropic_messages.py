"""Anthropic Messages: a `message`, and the events that make one, block by block."""

from __future__ import annotations

from faultloop.bench.recording.replies.meaning import (
    Json,
    Meaning,
    MeantCall,
    at,
    compact,
    list_at,
    number_at,
    text_at,
)
from faultloop.fakes.script import Finish

FINISHES: dict[str, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "pause_turn": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}


def whole(body: Json) -> Meaning:
    """Of a message object."""
    meant = Meaning(id=text_at(body, "id"), finish=FINISHES.get(text_at(body, "stop_reason")))
    for block in list_at(body, "content"):
        meant.text += text_at(block, "text") if text_at(block, "type") == "text" else ""
        if text_at(block, "type") == "tool_use":
            meant.calls.append(_call(block, compact(at(block, "input") or {})))
    _count(meant, at(body, "usage"))
    return meant


def streamed(events: list[Json]) -> Meaning:
    """Of the message that the events make."""
    meant = Meaning()
    calls: dict[int, MeantCall] = {}
    for event in events:
        index = number_at(event, "index")
        match text_at(event, "type"):
            case "message_start":
                meant.id = text_at(event, "message", "id")
                _count(meant, at(event, "message", "usage"))
            case "content_block_start":
                block = at(event, "content_block")
                meant.text += text_at(block, "text")
                if text_at(block, "type") == "tool_use":
                    calls[index] = _call(block, "")
            case "content_block_delta":
                meant.text += text_at(event, "delta", "text")
                if index in calls:
                    calls[index].arguments += text_at(event, "delta", "partial_json")
            case "message_delta":
                reason = text_at(event, "delta", "stop_reason")
                meant.finish = FINISHES.get(reason) or meant.finish
                _count(meant, at(event, "usage"))
            case _:
                pass
    meant.calls = list(calls.values())
    for call in meant.calls:
        call.arguments = call.arguments or "{}"  # a call without arguments streams none
    return meant


def _call(block: Json, arguments: str) -> MeantCall:
    return MeantCall(
        id=text_at(block, "id") or None, tool=text_at(block, "name"), arguments=arguments
    )


def _count(meant: Meaning, usage: Json) -> None:
    meant.prompt_tokens = number_at(usage, "input_tokens") or meant.prompt_tokens
    meant.completion_tokens = number_at(usage, "output_tokens") or meant.completion_tokens
