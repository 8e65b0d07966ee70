"""Each byte fault as a raw socket client sees it, in every dialect, streamed and whole."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from faultloop.fakes.faults import KINDS
from faultloop.fakes.faults.base import Fault

from .byte_scene import DIALECTS, EITHER_WAY, RawScene, ended, plain, raw

pytestmark = [
    pytest.mark.parametrize("dialect", DIALECTS),
    pytest.mark.parametrize("stream", EITHER_WAY, ids=["streamed", "whole"]),
]

CUT_AT = 150
"""Within the body of every reply, streamed or whole, and before its call is complete."""

Story = Callable[[RawScene], Coroutine[Any, Any, None]]


def fault(kind: str, **fields: Any) -> Fault:
    return KINDS[kind](at="step 1", **fields)


def play(story: Story, dialect: str, *faults: Fault, stream: bool) -> None:
    async def main() -> None:
        async with raw(dialect, *faults, stream=stream) as scene:
            await scene.send()
            async with asyncio.timeout(30):
                await story(scene)
            assert scene.fired == [(one.kind, False) for one in faults]

    plain(dialect, stream=stream)
    asyncio.run(main())


async def refused(scene: RawScene) -> bool:
    """Send until the other side says that nobody reads it."""
    while True:
        try:
            await scene.send()
        except (ConnectionResetError, BrokenPipeError):
            return True


def test_without_a_fault_all_comes_as_it_is_spelt(dialect: str, stream: bool) -> None:
    async def story(scene: RawScene) -> None:
        seen = await scene.see(ended)
        assert seen.body == b"".join(plain(dialect, stream=stream))
        assert scene.closed == ("sent", 1)

    play(story, dialect, stream=stream)


def test_slices_of_a_size_are_chunks_of_that_size(dialect: str, stream: bool) -> None:
    async def story(scene: RawScene) -> None:
        seen = await scene.see(ended)
        assert seen.body == b"".join(plain(dialect, stream=stream))
        if stream:
            *full, last, end = [len(chunk) for chunk in seen.chunks]
            assert (set(full), last <= 7, end) == ({7}, True, 0)
        assert scene.closed == ("sent", 1)

    play(story, dialect, fault("sliced_bytes", every=7), stream=stream)


def test_slices_at_offsets_end_there_and_nowhere_else(dialect: str, stream: bool) -> None:
    async def story(scene: RawScene) -> None:
        seen = await scene.see(ended)
        body = b"".join(plain(dialect, stream=stream))
        assert seen.body == body
        if stream:
            assert seen.chunks == [body[:3], body[3:100], body[100:], b""]

    play(story, dialect, fault("sliced_bytes", offsets=(100, 3)), stream=stream)


def test_one_packet_is_one_read(dialect: str, stream: bool) -> None:
    async def story(scene: RawScene) -> None:
        seen = await scene.see(ended)
        body = b"".join(plain(dialect, stream=stream))
        assert len(seen.pieces) == 1
        assert seen.chunks == [body, b""] if stream else seen.body == body

    play(story, dialect, fault("one_packet"), stream=stream)


def test_a_drip_is_as_slow_as_it_says(dialect: str, stream: bool) -> None:
    async def story(scene: RawScene) -> None:
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        seen = await scene.see(ended)
        took_s = loop.time() - began_s
        assert seen.body == b"".join(plain(dialect, stream=stream))
        assert took_s >= len(seen.body) / 20_000 * 0.9
        if stream:
            assert max(map(len, seen.chunks)) <= 1000

    play(story, dialect, fault("slow_drip", bytes_per_s=20_000), stream=stream)


def test_a_reset_comes_after_exactly_so_many_bytes(dialect: str, stream: bool) -> None:
    async def story(scene: RawScene) -> None:
        seen = await scene.see()
        assert seen.end == "rst"
        assert seen.body == b"".join(plain(dialect, stream=stream))[:CUT_AT]
        assert scene.closed == ("reset", 0)

    play(story, dialect, fault("reset_at_byte", after_bytes=CUT_AT), stream=stream)


def test_a_closed_connection_is_at_its_end_and_refuses_what_is_sent(
    dialect: str, stream: bool
) -> None:
    async def story(scene: RawScene) -> None:
        seen = await scene.see()
        assert seen.end == "fin"
        assert seen.body == b"".join(plain(dialect, stream=stream))[:CUT_AT]
        assert scene.closed == ("reset", 0)
        assert await refused(scene)

    play(story, dialect, fault("closed_at_byte", after_bytes=CUT_AT), stream=stream)


def test_a_body_that_is_complete_but_for_its_end_is_just_that(dialect: str, stream: bool) -> None:
    async def story(scene: RawScene) -> None:
        seen = await scene.see()
        assert seen.end == "fin"
        assert seen.body == b"".join(plain(dialect, stream=stream))
        assert not seen.rest.endswith(b"0\r\n\r\n")
        assert scene.closed == ("sent", 1)

    play(story, dialect, fault("closed_at_byte"), stream=stream)


def test_a_half_closed_connection_still_takes_what_is_sent(dialect: str, stream: bool) -> None:
    async def story(scene: RawScene) -> None:
        seen = await scene.see()
        assert seen.end == "fin"
        assert seen.body == b"".join(plain(dialect, stream=stream))[:CUT_AT]
        assert scene.closed == ("reset", 0)
        loop = asyncio.get_running_loop()
        for _ in range(20):
            await loop.sock_sendall(scene.socket, b"POST")
            await asyncio.sleep(0)

    play(story, dialect, fault("half_closed", after_bytes=CUT_AT), stream=stream)


@pytest.mark.parametrize("then", ["closed", "held"])
def test_a_length_that_is_too_long_is_never_filled(dialect: str, stream: bool, then: str) -> None:
    async def story(scene: RawScene) -> None:
        body = b"".join(plain(dialect, stream=stream))
        seen = await scene.see(lambda seen: then == "held" and seen.rest == body)
        assert seen.length == len(body) + 10
        assert seen.rest == body
        assert "chunked" not in seen.head
        assert seen.end == ("fin" if then == "closed" else "open")
        if then == "held":
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(scene.see(), 0.02)

    play(story, dialect, fault("content_length_too_long", then=then), stream=stream)


def test_a_length_that_is_too_short_leaves_bytes_in_the_same_packet(
    dialect: str, stream: bool
) -> None:
    async def story(scene: RawScene) -> None:
        body = b"".join(plain(dialect, stream=stream))
        seen = await scene.see(ended)
        assert seen.length == len(body) - 10
        assert seen.rest == body
        assert seen.pieces[-1].endswith(body[-11:])
        await scene.send()  # the connection lives, and its next response begins after the excess
        assert (await scene.see(ended)).data.startswith(b"HTTP/1.1 200")

    play(story, dialect, fault("content_length_too_short"), stream=stream)


def test_a_compressed_body_says_so_and_still_streams(dialect: str, stream: bool) -> None:
    async def story(scene: RawScene) -> None:
        seen = await scene.see(ended)
        assert "content-encoding: gzip" in seen.head
        unpack = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        pieces = [unpack.decompress(one) for one in (seen.chunks if stream else [seen.body])]
        assert unpack.eof
        assert [one for one in pieces if one] == plain(dialect, stream=stream)
        assert scene.closed == ("sent", 1)

    play(story, dialect, fault("gzipped"), stream=stream)


def test_a_trailer_stands_between_the_last_chunk_and_the_end(dialect: str, stream: bool) -> None:
    async def story(scene: RawScene) -> None:
        seen = await scene.see(lambda seen: seen.data.endswith(b"\r\nx-checksum: 1f\r\n\r\n"))
        assert "transfer-encoding: chunked" in seen.head
        assert "trailer: x-checksum" in seen.head
        assert seen.body == b"".join(plain(dialect, stream=stream))
        assert seen.rest.endswith(b"\r\n0\r\nx-checksum: 1f\r\n\r\n")
        await scene.send()  # the connection lives
        assert (await scene.see(ended)).data.startswith(b"HTTP/1.1 200")

    play(story, dialect, fault("chunked_trailer", value="1f"), stream=stream)


def test_a_connection_can_end_before_a_single_byte(dialect: str, stream: bool) -> None:
    async def story(scene: RawScene) -> None:
        seen = await scene.see()
        assert (seen.data, seen.end) == (b"", "fin")
        assert scene.closed == ("reset", 0)

    play(story, dialect, fault("closed_before_headers"), stream=stream)


def test_byte_faults_combine(dialect: str, stream: bool) -> None:
    async def story(scene: RawScene) -> None:
        seen = await scene.see()
        assert "content-encoding: gzip" in seen.head
        assert (len(seen.body), seen.end) == (100, "rst")

    faults = (
        fault("gzipped"),
        fault("sliced_bytes", every=9),
        fault("reset_at_byte", after_bytes=100),
    )
    play(story, dialect, *faults, stream=stream)
