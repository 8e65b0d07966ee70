"""The reader of event streams: the same events as another reader finds, however the wire cuts."""

from __future__ import annotations

from itertools import pairwise

import httpx
import pytest
from httpx_sse import EventSource
from hypothesis import given
from hypothesis import strategies as st

from faultloop.loop.providers.event_stream import EndlessEvent, EventReader, StreamEvent

Told = list[tuple[str, str]]


def read(*pieces: bytes) -> Told:
    reader = EventReader()
    return [tuple(event) for piece in pieces for event in reader.feed(piece)]


def read_by_httpx_sse(raw: bytes) -> Told:
    response = httpx.Response(200, headers={"content-type": "text/event-stream"}, content=raw)
    return [(event.event, event.data) for event in EventSource(response).iter_sse() if event.data]


STREAMS: list[tuple[bytes, Told]] = [
    (b"data: a\n\n", [("message", "a")]),
    (b"data:a\r\n\r\ndata:  b\r\r", [("message", "a"), ("message", " b")]),
    (b"event: ping\ndata: a\n\ndata: b\n\n", [("ping", "a"), ("message", "b")]),
    (b"event: ping\n\ndata: b\n\n", [("message", "b")]),
    (b"data: a\ndata: b\n\n", [("message", "a\nb")]),
    (b"data\ndata\n\n", [("message", "\n")]),
    (b"data\n\n: comment\nid: 7\nretry: 9\nother: x\n\n", []),
    (b"data: never ended\n", []),
    (b"data: \xff \xc3\ndata: \xc3\xa4\n\n", [("message", "\ufffd \ufffd\n\u00e4")]),
    (b"data: a\x0bb\xc2\x85c\n\n", [("message", "a\x0bb\u0085c")]),
]


@pytest.mark.parametrize(("raw", "told"), STREAMS)
def test_a_stream_is_read_as_the_standard_has_it(raw: bytes, told: Told) -> None:
    assert read(raw) == told == read_by_httpx_sse(raw)


def test_a_mark_of_byte_order_is_no_part_of_the_first_field() -> None:
    assert read(b"\xef\xbb", b"\xbfdata: a\n\n") == [("message", "a")]


def test_an_event_is_told_with_its_last_byte() -> None:
    reader = EventReader()
    assert reader.feed(b"data: a\r\n") == []
    assert reader.feed(b"\r") == [StreamEvent("message", "a")]
    assert reader.feed(b"\ndata: b\n\n") == [StreamEvent("message", "b")]


@pytest.mark.parametrize("piece", [b"x" * 500_000, b"data: " + b"x" * 500_000 + b"\n"])
def test_an_event_without_an_end_is_given_up(piece: bytes) -> None:
    with pytest.raises(EndlessEvent):
        read(*[piece] * 17)


def test_many_events_are_no_long_one() -> None:
    reader = EventReader()
    event = b"data: " + b"x" * 500_000 + b"\n\n"
    assert sum(len(reader.feed(event)) for _ in range(17)) == 17


PARTS = (
    b"data", b"event", b"id", b": ", b":", b"\n", b"\n\n", b"\r", b"\r\n", b" ", b"x", b"\xc3",
    b"\xa4", b"\xff", b"data: x\n\n",
)  # fmt: skip


@given(
    parts=st.lists(st.sampled_from(PARTS), max_size=30),
    cuts=st.lists(st.integers(0, 60), max_size=6).map(sorted),
)
def test_whatever_comes_and_however_it_is_cut_two_readers_find_the_same(
    parts: list[bytes], cuts: list[int]
) -> None:
    raw = b"".join(parts)
    edges = [0, *(min(cut, len(raw)) for cut in cuts), len(raw)]
    pieces = [raw[a:b] for a, b in pairwise(edges)]
    assert read(*pieces) == read_by_httpx_sse(raw)
