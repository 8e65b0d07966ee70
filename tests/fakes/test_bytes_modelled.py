"""Byte faults in process: what a modelled connection can show, marked as modelled."""

from __future__ import annotations

import zlib
from typing import Any

import httpx
import pytest

from faultloop.fakes.faults import KINDS
from faultloop.fakes.faults.base import Fault
from faultloop.fakes.history import FaultFired, ReplyClosed
from faultloop.fakes.stage import Stage

from .byte_scene import DIALECTS, EITHER_WAY, in_process, plain

pytestmark = [
    pytest.mark.parametrize("dialect", DIALECTS),
    pytest.mark.parametrize("stream", EITHER_WAY, ids=["streamed", "whole"]),
]

RST, FIN = httpx.ReadError, httpx.RemoteProtocolError


def fault(kind: str, **fields: Any) -> Fault:
    return KINDS[kind](at="step 1", **fields)


def fired(stage: Stage) -> list[tuple[str, bool]]:
    return [
        (entry.kind, entry.modelled) for entry in stage.history if isinstance(entry, FaultFired)
    ]


def closed(stage: Stage) -> tuple[str, int]:
    (entry,) = [entry for entry in stage.history if isinstance(entry, ReplyClosed)]
    return entry.outcome, len(entry.calls_complete)


@pytest.mark.parametrize(
    ("kind", "fields", "arrive", "error", "end"),
    [
        ("sliced_bytes", {"every": 7}, None, None, ("sent", 1)),
        ("slow_drip", {"bytes_per_s": 50}, None, None, ("sent", 1)),
        ("reset_at_byte", {"after_bytes": 150}, 150, RST, ("reset", 0)),
        ("closed_at_byte", {"after_bytes": 150}, 150, FIN, ("reset", 0)),
        ("closed_at_byte", {}, None, FIN, ("sent", 1)),
        ("half_closed", {"after_bytes": 150}, 150, FIN, ("reset", 0)),
        ("content_length_too_long", {}, None, FIN, ("sent", 1)),
        ("content_length_too_short", {"by_bytes": 7}, -7, None, None),
        ("closed_before_headers", {}, 0, FIN, ("reset", 0)),
    ],
)
def test_the_same_bytes_arrive_as_over_a_socket_and_the_same_is_suffered(
    dialect: str,
    stream: bool,
    kind: str,
    fields: dict[str, Any],
    arrive: int | None,
    error: type[httpx.TransportError] | None,
    end: tuple[str, int] | None,
) -> None:
    pieces, stage, suffered = in_process(dialect, fault(kind, **fields), stream=stream)

    assert b"".join(pieces) == b"".join(plain(dialect, stream=stream))[:arrive]
    assert suffered is error
    assert fired(stage) == [(kind, True)]
    assert stage.unfired_faults() == ()
    assert end is None or closed(stage) == end


def test_slices_and_drips_are_pieces(dialect: str, stream: bool) -> None:
    sliced, _, _ = in_process(dialect, fault("sliced_bytes", every=7), stream=stream)
    dripped, _, _ = in_process(dialect, fault("slow_drip", bytes_per_s=50), stream=stream)

    assert {len(piece) for piece in sliced[:-1]} == {7}
    assert {len(piece) for piece in dripped[:-1]} <= {1, 2, 3}


def test_a_slow_line_takes_virtual_time(dialect: str, stream: bool) -> None:
    pieces, stage, _ = in_process(dialect, fault("slow_drip", bytes_per_s=5), stream=stream)

    assert len(pieces) == len(b"".join(pieces))
    assert closed(stage) == ("sent", 1)


def test_one_packet_is_one_piece_of_a_stream_and_cannot_strike_a_whole_reply(
    dialect: str, stream: bool
) -> None:
    pieces, stage, _ = in_process(dialect, fault("one_packet"), stream=stream)

    assert pieces == [b"".join(plain(dialect, stream=stream))]
    assert fired(stage) == ([("one_packet", True)] if stream else [])
    assert stage.unfired_faults() == (() if stream else (0,))


def test_a_trailer_cannot_strike_and_is_reported_so(dialect: str, stream: bool) -> None:
    pieces, stage, error = in_process(dialect, fault("chunked_trailer"), stream=stream)

    assert (b"".join(pieces), error) == (b"".join(plain(dialect, stream=stream)), None)
    assert fired(stage) == []
    assert stage.unfired_faults() == (0,)


def test_a_compressed_body_is_packed_piece_by_piece(dialect: str, stream: bool) -> None:
    pieces, stage, _ = in_process(dialect, fault("gzipped"), stream=stream)
    unpack = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)

    assert [one for one in map(unpack.decompress, pieces) if one] == plain(dialect, stream=stream)
    assert fired(stage) == [("gzipped", True)]


@pytest.mark.parametrize("kind", ["reset_at_byte", "closed_at_byte", "half_closed"])
def test_a_break_past_the_end_of_the_body_does_not_fire(
    dialect: str, stream: bool, kind: str
) -> None:
    pieces, stage, error = in_process(dialect, fault(kind, after_bytes=100_000), stream=stream)

    assert (b"".join(pieces), error) == (b"".join(plain(dialect, stream=stream)), None)
    assert (fired(stage), stage.unfired_faults()) == ([], (0,))


def test_they_combine_with_faults_of_what_is_said_and_of_the_stream(
    dialect: str, stream: bool
) -> None:
    faults = [fault("empty_arguments"), fault("sliced_bytes", every=11)]
    if stream:
        faults.append(fault("ends_without_finish"))
    _, stage, error = in_process(dialect, *faults, stream=stream)

    assert error is None
    assert sorted(fired(stage)) == sorted((it.kind, it.kind == "sliced_bytes") for it in faults)
    assert closed(stage)[0] == ("cut" if stream else "sent")


def test_a_fault_after_a_break_has_not_fired(dialect: str, stream: bool) -> None:
    faults = fault("reset_at_byte", after_bytes=100), fault("closed_at_byte", after_bytes=200)
    _, stage, _ = in_process(dialect, *faults, stream=stream)

    assert fired(stage) == [("reset_at_byte", True)]
    assert stage.unfired_faults() == (1,)
