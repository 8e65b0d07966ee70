"""Gemini generateContent: one response, or several whose first candidates continue each other."""

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

CUT = {"MAX_TOKENS"}
ENDED = {"STOP"}
"""All other finish reasons tell of something that was filtered."""


def whole(body: Json) -> Meaning:
    """Of one response."""
    return streamed([body])


def streamed(events: list[Json]) -> Meaning:
    """Of all that came; thoughts are no text."""
    meant = Meaning()
    reason = ""
    for event in events:
        meant.id = meant.id or text_at(event, "responseId")
        for part in list_at(event, "candidates", 0, "content", "parts"):
            meant.text += "" if at(part, "thought") else text_at(part, "text")
            call = at(part, "functionCall")
            if call is not None:
                meant.calls.append(
                    MeantCall(
                        id=text_at(call, "id") or None,
                        tool=text_at(call, "name"),
                        arguments=compact(at(call, "args") or {}),
                    )
                )
        reason = text_at(event, "candidates", 0, "finishReason") or reason
        counts = at(event, "usageMetadata")
        meant.prompt_tokens = number_at(counts, "promptTokenCount") or meant.prompt_tokens
        meant.completion_tokens = (
            number_at(counts, "candidatesTokenCount") or meant.completion_tokens
        )
    meant.finish = _finish(reason, bool(meant.calls))
    return meant


def _finish(reason: str, has_calls: bool) -> Finish | None:
    if not reason:
        return None
    if reason in ENDED:
        return "tool_calls" if has_calls else "stop"
    return "length" if reason in CUT else "content_filter"
