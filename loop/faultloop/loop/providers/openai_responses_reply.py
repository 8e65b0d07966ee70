"""What comes back from OpenAI's Responses, read into deltas (SPEC P3).

Items open, grow and are done, and the last event is the response. The API says arguments twice: in
pieces, and whole when the item is done. The whole is believed, since it tells of pieces that were
lost on the way; where it never comes, the pieces are. Until then a piece is a sign of life, and so
is reasoning. Lenient about everything that is not needed (`lenient`); what cannot be read is damage
of the wire.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

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

INCOMPLETE: dict[str, FinishReason] = {
    "max_output_tokens": "length",
    "content_filter": "content_filter",
}
"""Why a response is incomplete; for any other reason it is cut, too."""

CALL = "function_call"


class _Call(msgspec.Struct):
    """A call on its way."""

    number: int | None
    id: str = ""
    name: str = ""
    pieces: list[str] = []
    """Of its arguments; one, once they have come whole."""
    is_over: bool = False


class _Place(NamedTuple):
    """Where in a response an event belongs; some servers know only one of the two."""

    at: int | None
    item: str


class Reader:
    """Reads the events of one stream."""

    def __init__(self) -> None:
        self._numbers = BlockNumbers()
        self._calls: dict[int | str, _Call] = {}
        self._texts: set[int | str] = set()
        """Items whose text has come in pieces."""
        self._has_items = False

    def read(self, event: StreamEvent) -> Iterator[Delta]:
        """What an event says. Raises ProviderFailure."""
        if event.type not in ("message", "error") and not event.type.startswith("response."):
            return
        found = decoded(event.data, "a streamed event")
        kind = word(found.get("type")) or event.type
        item = mapping(found.get("item"))
        place = _Place(
            number(found.get("output_index")), word(found.get("item_id") or item.get("id"))
        )
        match kind:
            case "response.output_text.delta" | "response.refusal.delta":
                if said := text(found.get("delta")):
                    self._other(place)
                    self._texts.add(_key(place))
                    yield TextDelta(said)
            case "response.function_call_arguments.delta":
                self._call(place).pieces.append(arguments(found.get("delta")))
                yield ALIVE
            case "response.function_call_arguments.done":
                _tell_whole(self._call(place), found)
            case "response.output_item.added":
                yield from self._begun(place, item)
            case "response.output_item.done":
                yield from self._done(place, item)
            case "response.completed" | "response.incomplete":
                yield from self._ended(mapping(found.get("response")))
            case "response.failed":
                raise _failed(mapping(found.get("response")))
            case "error":
                raise from_body(error_in(found.get("error") or {**found, "type": None}))
            case _ if kind.startswith("response.reasoning"):
                yield ALIVE

    def _other(self, place: _Place) -> None:
        self._has_items = True
        self._numbers.other(place.at)

    def _call(self, place: _Place) -> _Call:
        """The call at this place, which may never have begun."""
        self._has_items = True
        call = self._calls.get(_key(place))
        if call is None:
            call = self._calls[_key(place)] = _Call(self._numbers.call(place.at))
        return call

    def _begun(self, place: _Place, item: Object) -> Iterator[Delta]:
        if item.get("type") != CALL:
            self._other(place)
            yield ALIVE
            return
        call = self._call(place)
        id_, name = word(item.get("call_id")), word(item.get("name"))
        if id_ and call.id and id_ != call.id:  # another call at the same place
            yield from _over(call)
            call = self._calls[_key(place)] = _Call(call.number)
        call.id, call.name = call.id or id_, call.name or name
        yield CallDelta(call.number, id_ or None, name or None)

    def _done(self, place: _Place, item: Object) -> Iterator[Delta]:
        if item.get("type") != CALL:
            self._other(place)
            if _key(place) not in self._texts and (said := _said(item)):
                yield TextDelta(said)
            return
        known = self._call(place)
        if not (known.id and known.name) or word(item.get("call_id")) != known.id:
            yield from self._begun(place, item)
        call = self._call(place)
        _tell_whole(call, item)
        yield from _over(call)

    def _ended(self, response: Object) -> Iterator[Delta]:
        for call in self._calls.values():
            yield from _over(call)
        if not self._has_items:  # a server that streams nothing but the end
            yield from _output(response)
        has_calls = bool(self._calls) or _has_calls(response)
        yield from _finish(response, has_calls=has_calls)
        yield from _usage(response)
        yield EndDelta()


def of_whole(data: str | bytes) -> list[Delta]:
    """The deltas of a whole response, its end mark included: it came complete or not at all."""
    response = decoded(data, "a whole response")
    if response.get("error") or response.get("status") == "failed":
        raise _failed(response)
    if not isinstance(response.get("output"), list):
        raise ProviderFailure("broken", "the provider's response holds no output")
    finish = _finish(response, has_calls=_has_calls(response))
    return [*_output(response), *finish, *_usage(response), EndDelta()]


def _key(place: _Place) -> int | str:
    return place.item if place.at is None else place.at


def _tell_whole(call: _Call, found: Object) -> None:
    """All arguments of a call, where they are told; else those that have come stay."""
    if whole := arguments(found.get("arguments")):
        call.pieces = [whole]


def _over(call: _Call) -> Iterator[Delta]:
    """The arguments of a call to which nothing is added any more, told once."""
    if not call.is_over:
        call.is_over = True
        id_ = (call.id or None) if call.number is None else None
        yield CallDelta(call.number, id_, arguments="".join(call.pieces))


def _has_calls(response: Object) -> bool:
    return any(item.get("type") == CALL for item in mappings(response.get("output")))


def _output(response: Object) -> Iterator[Delta]:
    calls = 0
    for item in mappings(response.get("output")):
        if item.get("type") == CALL:
            id_, name = word(item.get("call_id")) or None, word(item.get("name")) or None
            yield CallDelta(calls, id_, name, arguments(item.get("arguments")))
            calls += 1
        elif said := _said(item):
            yield TextDelta(said)


def _said(item: Object) -> str:
    """What a message says; reasoning says nothing."""
    if item.get("type") != "message":
        return ""
    content = item.get("content")
    parts = [part.get("refusal") or part for part in mappings(content)]
    return text(parts if parts else content)


def _finish(response: Object, *, has_calls: bool) -> tuple[FinishDelta, ...]:
    """A response does not say whether it ends in calls: its items do."""
    status = word(response.get("status"))
    if status == "incomplete":
        why = word(mapping(response.get("incomplete_details")).get("reason")) or status
        return (FinishDelta(INCOMPLETE.get(why, "length"), why),)
    if status == "completed":
        return (FinishDelta("tool_calls" if has_calls else "stop", status),)
    return (FinishDelta("other", status),) if status else ()


def _usage(response: Object) -> tuple[UsageDelta, ...]:
    given = mapping(response.get("usage"))
    return counted(
        number(given.get("input_tokens")),
        number(given.get("output_tokens")),
        number(mapping(given.get("input_tokens_details")).get("cached_tokens")),
    )


def _failed(response: Object) -> ProviderFailure:
    """What a response says that failed; its tokens are paid for."""
    failure = from_body(error_in(response.get("error") or {"message": "no reason was given"}))
    failure.usage = next(iter(_usage(response)), None)
    return failure
