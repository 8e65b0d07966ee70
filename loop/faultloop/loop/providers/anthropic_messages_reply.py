"""What comes back from Anthropic's Messages, read into deltas (SPEC P3).

A message opens, blocks open, grow and stop, the message ends. A call is a block whose input comes
as pieces of text; where none come, it is what the block opened with, which for a call without
arguments is `{}`. Thinking is nobody's text: it is a sign of life. Lenient about everything that is
not needed (`lenient`); what cannot be read is damage of the wire.
"""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.loop.message import FinishReason
from faultloop.loop.providers.block_numbers import BlockNumbers
from faultloop.loop.providers.error_body import error_in
from faultloop.loop.providers.event_stream import StreamEvent
from faultloop.loop.providers.failures import from_body
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
    ALIVE,
    CallDelta,
    Delta,
    EndDelta,
    FinishDelta,
    ProviderFailure,
    TextDelta,
    UsageDelta,
)

FINISH_REASONS: dict[str, FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}
"""The wire's words; any other is `other`."""

EVENTS = frozenset(
    {
        "message",  # a server that names no events says their types in the data
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "error",
    }
)
"""Server-sent events of other types (pings and the like) carry nothing of the reply."""


class Reader:
    """Reads the events of one stream."""

    def __init__(self) -> None:
        self._numbers = BlockNumbers()
        self._others: set[int | None] = set()
        """Blocks that are neither text nor a call of ours; their input is not for us."""
        self._ids: dict[int | None, str] = {}
        """By block: the id of the call in it."""
        self._inputs: dict[int | None, str] = {}
        """By block: what a call has opened with, until a piece of its input comes."""
        self._counts: Object = {}

    def read(self, event: StreamEvent) -> Iterator[Delta]:
        """What an event says. Raises ProviderFailure."""
        if event.type not in EVENTS:
            return
        found = decoded(event.data, "a streamed event")
        match found.get("type") or event.type:
            case "content_block_delta":
                yield from self._grown(number(found.get("index")), mapping(found.get("delta")))
            case "content_block_start":
                block = mapping(found.get("content_block"))
                yield from self._begun(number(found.get("index")), block)
            case "content_block_stop":
                yield from self._over(number(found.get("index")))
            case "message_start":
                yield from self._counted(mapping(found.get("message")))
            case "message_delta":
                finish = _finish(mapping(found.get("delta")))
                if finish:
                    yield from self._all_over()
                yield from finish
                yield from self._counted(found)
            case "message_stop":
                yield from self._all_over()
                yield EndDelta()
            case "error":
                raise from_body(error_in(found.get("error") or found))

    def _begun(self, at: int | None, block: Object) -> Iterator[Delta]:
        kind = block.get("type")
        if kind != "tool_use":
            self._numbers.other(at)
            if kind != "text":
                self._others.add(at)
                yield ALIVE
            elif said := text(block.get("text")):
                yield TextDelta(said)
            return
        self._others.discard(at)
        id_, known = word(block.get("id")), self._ids.get(at)
        if known is None or (id_ and known and id_ != known):  # else it begins once more, or late
            self._inputs[at] = arguments(block.get("input")) or "{}"
        self._ids[at] = id_ or known or ""
        yield CallDelta(self._numbers.call(at), id_ or None, word(block.get("name")) or None)

    def _grown(self, at: int | None, delta: Object) -> Iterator[Delta]:
        if said := text(delta.get("text")):
            self._numbers.other(at)
            yield TextDelta(said)
        elif at in self._others:
            yield ALIVE
        elif piece := arguments(delta.get("partial_json")):
            self._inputs.pop(at, None)
            yield CallDelta(self._numbers.call(at), arguments=piece)

    def _over(self, at: int | None) -> Iterator[Delta]:
        """A block is over: without a piece, its input is what it has opened with."""
        given = self._inputs.pop(at, None)
        if given is not None:
            yield CallDelta(self._numbers.call(at), arguments=given)

    def _all_over(self) -> Iterator[Delta]:
        """The message is over, and so is what was never closed."""
        for at in tuple(self._inputs):
            yield from self._over(at)

    def _counted(self, found: Object) -> tuple[UsageDelta, ...]:
        """The counts so far: the request's come first, the reply's last, and each may come anew."""
        given = mapping(found.get("usage"))
        self._counts |= {name: count for name, count in given.items() if count is not None}
        return _usage(self._counts) if given else ()


def of_whole(data: str | bytes) -> list[Delta]:
    """The deltas of a whole message, its end mark included: it came complete or not at all."""
    found = decoded(data, "a whole message")
    if found.get("type") == "error" or found.get("error"):
        raise from_body(error_in(found.get("error") or found))
    if not isinstance(found.get("content"), list):
        raise ProviderFailure("broken", "the provider's message holds no content")
    deltas: list[Delta] = []
    calls = 0
    for block in mappings(found["content"]):
        if block.get("type") == "tool_use":
            id_, name = word(block.get("id")) or None, word(block.get("name")) or None
            deltas.append(CallDelta(calls, id_, name, arguments(block.get("input")) or "{}"))
            calls += 1
        elif block.get("type") == "text" and (said := text(block.get("text"))):
            deltas.append(TextDelta(said))
    return [*deltas, *_finish(found), *_usage(mapping(found.get("usage"))), EndDelta()]


def _finish(found: Object) -> tuple[FinishDelta, ...]:
    reason = word(found.get("stop_reason"))
    return (FinishDelta(FINISH_REASONS.get(reason, "other"), reason),) if reason else ()


def _usage(given: Object) -> tuple[UsageDelta, ...]:
    """What was read from the cache and written into it is not among the tokens of the input. Counts
    that are all zero are those of a server that does not count."""
    fresh, written = number(given.get("input_tokens")), number(given.get("output_tokens"))
    cached = number(given.get("cache_read_input_tokens")) or 0
    stored = number(given.get("cache_creation_input_tokens")) or 0
    read = (fresh or 0) + cached + stored
    return counted(read, written, cached) if read or written else ()
