"""OpenAI Responses: a `response`, which a stream repeats at its end; else its items so far."""

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

FINISHES: dict[str, Finish] = {"max_output_tokens": "length", "content_filter": "content_filter"}
"""By the reason for which a response is incomplete."""


def whole(body: Json) -> Meaning:
    """Of a response object."""
    meant = Meaning(id=text_at(body, "id"))
    for item in list_at(body, "output"):
        _add(meant, item)
    reason = text_at(body, "incomplete_details", "reason")
    if text_at(body, "status") in ("completed", "incomplete"):
        meant.finish = FINISHES.get(reason, "tool_calls" if meant.calls else "stop")
    meant.prompt_tokens = number_at(body, "usage", "input_tokens")
    meant.completion_tokens = number_at(body, "usage", "output_tokens")
    return meant


def streamed(events: list[Json]) -> Meaning:
    """Of the response at the end; without one, what had come of it."""
    ended = [
        event
        for event in events
        if text_at(event, "type") in ("response.completed", "response.incomplete")
    ]
    if ended:
        return whole(at(ended[-1], "response"))
    meant = Meaning()
    open_text = ""
    for event in events:
        meant.id = meant.id or text_at(event, "response", "id")
        match text_at(event, "type"):
            case "response.output_text.delta" | "response.refusal.delta":
                open_text += text_at(event, "delta")
            case "response.output_item.done":
                open_text = ""
                _add(meant, at(event, "item"))
            case _:
                pass
    meant.text += open_text
    return meant


def _add(meant: Meaning, item: Json) -> None:
    match text_at(item, "type"):
        case "message":
            for part in list_at(item, "content"):
                meant.text += text_at(part, "text") or text_at(part, "refusal")
        case "function_call" | "custom_tool_call":
            meant.calls.append(
                MeantCall(
                    id=text_at(item, "call_id") or None,
                    tool=text_at(item, "name"),
                    arguments=text_at(item, "arguments") or text_at(item, "input"),
                )
            )
        case _:
            pass  # reasoning, and tools of OpenAI's own
