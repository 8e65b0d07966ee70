"""Byte faults: one table of what each kind makes of the acts of a reply."""

from __future__ import annotations

import zlib
from math import ceil
from typing import Any

import pytest

from faultloop.fakes.faults import KINDS
from faultloop.fakes.faults.armed import Armed
from faultloop.fakes.faults.sliced_bytes import WRITES_MAX
from faultloop.fakes.reply import Stall
from faultloop.fakes.wire import (
    Acts,
    Break,
    Cork,
    Delivered,
    End,
    Excess,
    Head,
    Trailers,
    Wait,
    body_bytes,
    first_change,
    parted,
)

TYPE = (("content-type", "text/event-stream"),)
ONE, TWO = Delivered(1, 1), Delivered(2, 2)
STREAM: Acts = (Head(TYPE, None), b"abcd", ONE, b"efgh", TWO, End())
STALLED: Acts = (Head(TYPE, None), b"abcd", ONE, Stall(3.0), b"efgh", TWO, End())
WHOLE: Acts = (Head(TYPE, 8), b"abcdefgh", Delivered(2), End())

SLOW: Acts = (
    *(Head(TYPE, None), Wait(3 / 60), b"abc", Wait(1 / 60), b"d", ONE),
    *(Wait(3 / 60), b"efg", Wait(1 / 60), b"h", TWO, End()),
)

BYTES: list[tuple[str, dict[str, Any], Acts]] = [
    (
        "sliced_bytes",
        {"every": 3},
        (Head(TYPE, None), b"abc", b"def", ONE, b"gh", TWO, End()),
    ),
    (
        "sliced_bytes",
        {"offsets": (8, 1, 5, 5)},
        (Head(TYPE, None), b"a", b"bcde", ONE, b"fgh", TWO, End()),
    ),
    ("one_packet", {}, (Cork(), Head(TYPE, None), b"abcdefgh", ONE, TWO, End())),
    ("slow_drip", {"bytes_per_s": 60.0}, SLOW),
    (
        "slow_drip",
        {"bytes_per_s": 1.0, "seconds_max": 2.0},
        (
            *(Head(TYPE, None), Wait(1 / 4), b"a", Wait(1 / 4), b"b", Wait(1 / 4), b"c"),
            *(Wait(1 / 4), b"d", ONE, Wait(1 / 4), b"e", Wait(1 / 4), b"f", Wait(1 / 4), b"g"),
            *(Wait(1 / 4), b"h", TWO, End()),
        ),
    ),
    ("slow_drip", {"bytes_per_s": 60.0, "seconds_max": 2.0}, SLOW),
    ("reset_at_byte", {"after_bytes": 6}, (*STREAM[:3], b"ef", Break("reset"))),
    ("reset_at_byte", {"after_bytes": 4}, (*STREAM[:3], Break("reset"))),
    ("reset_at_byte", {"after_bytes": 0}, (Head(TYPE, None), Break("reset"))),
    ("closed_at_byte", {}, (*STREAM[:-1], Break("closed"))),
    ("half_closed", {"after_bytes": 8}, (*STREAM[:-1], Break("half_closed"))),
    ("content_length_too_long", {}, (Head(TYPE, 18), *STREAM[1:-1], Break("closed"))),
    (
        "content_length_too_short",
        {"by_bytes": 2},
        (Head(TYPE, 6), b"abcd", ONE, Cork(), b"ef", Excess(b"gh"), End()),
    ),
    (
        "chunked_trailer",
        {},
        (
            Head((*TYPE, ("trailer", "x-checksum")), None),
            *STREAM[1:-1],
            Trailers((("x-checksum", "none"),)),
            End(),
        ),
    ),
    ("closed_before_headers", {}, (Break("closed"),)),
]


def travelled(kind: str, acts: Acts, **fields: Any) -> Acts:
    return KINDS[kind](at="step 1", **fields).travel(acts)


@pytest.mark.parametrize(("kind", "fields", "acts"), BYTES)
def test_byte_faults_change_the_acts(kind: str, fields: dict[str, Any], acts: Acts) -> None:
    assert travelled(kind, STREAM, **fields) == acts


def test_a_whole_reply_is_struck_in_the_same_way() -> None:
    head, body, done, end = WHOLE
    assert travelled("sliced_bytes", WHOLE, every=5) == (head, b"abcde", b"fgh", done, end)
    assert travelled("chunked_trailer", WHOLE)[0] == Head((*TYPE, ("trailer", "x-checksum")), None)
    assert travelled("content_length_too_long", WHOLE)[0] == Head(TYPE, 18)
    assert travelled("reset_at_byte", WHOLE, after_bytes=8) == (head, body, done, Break("reset"))


def test_a_long_write_comes_in_larger_pieces_and_those_beside_it_do_not() -> None:
    long = bytes(range(256)) * 100
    acts = (Head(TYPE, None), b"abcd", ONE, long, TWO, b"efgh", End())
    sliced = [act for act in travelled("sliced_bytes", acts, every=1) if isinstance(act, bytes)]

    assert b"".join(sliced) == b"abcd" + long + b"efgh"
    assert sliced[:4] == [b"a", b"b", b"c", b"d"]
    assert {len(piece) for piece in sliced[4:-5]} == {ceil(len(long) / WRITES_MAX)}
    assert [len(piece) for piece in sliced[-4:]] == [1] * 4


@pytest.mark.parametrize("acts", [STREAM, WHOLE])
def test_compressing_keeps_the_pieces_and_tells_the_new_length(acts: Acts) -> None:
    packed = travelled("gzipped", acts)
    unpack = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    pieces = [unpack.decompress(act) for act in packed if isinstance(act, bytes)]
    assert [one for one in pieces if one] == [act for act in acts if isinstance(act, bytes)]
    assert unpack.eof
    head = packed[0]
    assert isinstance(head, Head)
    assert head.headers == (*TYPE, ("content-encoding", "gzip"))
    assert head.length == (None if acts is STREAM else body_bytes(packed))


def test_a_stall_lets_go_what_was_cut_and_delays_what_was_collected() -> None:
    assert travelled("sliced_bytes", STALLED, every=5) == (*STALLED[:4], b"efgh", TWO, End())
    assert travelled("one_packet", STALLED) == (
        *(Cork(), Head(TYPE, None), Stall(3.0), b"abcdefgh", ONE, TWO, End()),
    )


def test_a_break_at_a_stall_comes_before_it() -> None:
    assert travelled("reset_at_byte", STALLED, after_bytes=4) == (*STALLED[:3], Break("reset"))


@pytest.mark.parametrize("kind", ["reset_at_byte", "closed_at_byte", "half_closed"])
@pytest.mark.parametrize("after_bytes", [None, 8, 9])
def test_what_is_broken_before_a_fault_would_strike_is_left_alone(
    kind: str, after_bytes: int | None
) -> None:
    broken = *STREAM[:-1], Break("reset")
    assert travelled(kind, broken, after_bytes=after_bytes) == broken


@pytest.mark.parametrize("kind", ["content_length_too_short", "chunked_trailer"])
def test_a_frame_that_has_no_end_has_none_to_get_wrong(kind: str) -> None:
    broken = *STREAM[:-1], Break("reset")
    assert travelled(kind, broken) == broken


def test_a_length_cannot_be_less_than_one_byte() -> None:
    assert travelled("content_length_too_short", STREAM, by_bytes=8) == STREAM


def test_acts_are_parted_at_a_byte() -> None:
    assert parted(STREAM, 5) == ((*STREAM[:3], b"e"), (b"fgh", TWO, End()))
    assert parted(STREAM, 99) == (STREAM, ())


def test_the_first_change_is_where_acts_differ_or_one_of_them_is_over() -> None:
    assert first_change(STREAM, STREAM) is None
    assert first_change(STREAM, (*STREAM[:2], b"x")) == 2
    assert first_change(STREAM, STREAM[:2]) == 2


def test_byte_faults_are_due_at_their_step_as_often_as_they_say() -> None:
    fault = KINDS["gzipped"](at="step 2")
    armed = Armed((KINDS["one_packet"](at="step 1"), fault))
    assert armed.bytes(2) == [(1, fault)]
    armed.take(1)
    assert armed.bytes(2) == []
    with pytest.raises(ValueError, match="write 'step N'"):
        Armed((KINDS["gzipped"](at="tool read_file"),))
