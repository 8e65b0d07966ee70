"""What comes back from Gemini's generateContent, read into deltas (SPEC P3).

A stream is made of whole responses, each with what is new in it and the counts so far. A call is
never cut: it comes in one part, and its place among the calls is all the index it has. Among events
nothing ends a stream: the finish reason is taken for the end, behind which only counts may come.
Lenient about everything that is not needed (`lenient`); what cannot be read is damage of the wire,
and so is a call that the API itself could not read: asked again, the model may write it well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.loop.message import FinishReason
from faultloop.loop.output import head
from faultloop.loop.providers.error_body import error_in
from faultloop.loop.providers.event_stream import StreamEvent
from faultloop.loop.providers.failures import MESSAGE_BYTES, from_body
from faultloop.loop.providers.lenient import (
    Object,
    arguments,
    counted,
    decoded,
    mapping,
    mappings,
    number,
    text,
    word,
)
from faultloop.loop.providers.port import (
    CallDelta,
    CallUnreadable,
    Delta,
    EndDelta,
    FinishDelta,
    ProviderFailure,
    TextDelta,
    UsageDelta,
)

UNREADABLE_CALLS = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"})
"""Ends of replies whose call did not come through; what stands in them is a rest of it, if
anything (vellum-ai/vellum-assistant #43134)."""

FINISH_REASONS: dict[str, FinishReason] = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    "SAFETY": "content_filter",
    "RECITATION": "content_filter",
    "LANGUAGE": "content_filter",
    "BLOCKLIST": "content_filter",
    "PROHIBITED_CONTENT": "content_filter",
    "SPII": "content_filter",
}
"""The wire's words; any other is `other`. Calls end in STOP as well."""

MESSAGE_EVENTS = frozenset({"message", "error"})
"""The API names no events; those of a gateway (pings and the like) carry nothing of the reply."""


class Reader:
    """Reads the events of one stream."""

    def __init__(self) -> None:
        self._calls = 0

    def read(self, event: StreamEvent) -> Iterator[Delta]:
        """What an event says. Raises ProviderFailure."""
        if event.type not in MESSAGE_EVENTS:
            return
        found = decoded(event.data, "a streamed chunk")
        if found.get("error"):
            raise from_body(error_in(found["error"]))
        finish: tuple[FinishDelta, ...] = ()
        usage = _usage(found.get("usageMetadata"))
        for candidate in mappings(found.get("candidates")):
            if number(candidate.get("index")):
                continue  # a second answer to the same request, which nobody asked for
            for part in mappings(mapping(candidate.get("content")).get("parts")):
                yield from self._part(part)
            finish = finish or self._finish(candidate, usage)
        if blocked := word(mapping(found.get("promptFeedback")).get("blockReason")):
            finish = (FinishDelta("content_filter", blocked),)
        yield from finish
        yield from usage
        if finish:
            yield EndDelta()

    def _part(self, part: Object) -> Iterator[Delta]:
        if call := part.get("functionCall"):
            given = mapping(call)
            id_, name = word(given.get("id")) or None, word(given.get("name")) or None
            yield CallDelta(self._calls, id_, name, arguments(given.get("args")) or "{}")
            self._calls += 1
        elif not part.get("thought") and (said := text(part.get("text"))):
            yield TextDelta(said)

    def _finish(self, candidate: Object, usage: tuple[UsageDelta, ...]) -> tuple[FinishDelta, ...]:
        raw = word(candidate.get("finishReason"))
        if raw in UNREADABLE_CALLS:
            why = word(candidate.get("finishMessage")) or raw
            said = f"the model wrote a call that cannot be read: {head(why, MESSAGE_BYTES)}"
            raise CallUnreadable(said, usage=next(iter(usage), None))
        reason = FINISH_REASONS.get(raw, "other")
        if reason == "stop" and self._calls:
            reason = "tool_calls"
        return (FinishDelta(reason, raw),) if raw else ()


def of_whole(data: str | bytes) -> list[Delta]:
    """The deltas of a whole response, its end mark included: it came complete or not at all."""
    body = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
    deltas = list(Reader().read(StreamEvent("message", body)))
    if not any(isinstance(delta, TextDelta | CallDelta | FinishDelta) for delta in deltas):
        raise ProviderFailure("broken", "the provider's response holds no candidate")
    return deltas if deltas[-1] == EndDelta() else [*deltas, EndDelta()]


def _usage(given: Any) -> tuple[UsageDelta, ...]:
    """Thoughts are written tokens, too, and what is zero is left out."""
    found = mapping(given)
    read, said = number(found.get("promptTokenCount")), number(found.get("candidatesTokenCount"))
    thought = number(found.get("thoughtsTokenCount"))
    written = None if said is None and thought is None else (said or 0) + (thought or 0)
    return counted(read, written, number(found.get("cachedContentTokenCount")))
