"""Byte faults that meet at the end of a body: whatever their order, a client gets a response."""

from __future__ import annotations

import asyncio
import itertools
import zlib

import pytest

from faultloop.fakes.faults import KINDS

from .byte_scene import EITHER_WAY, Seen, plain, raw

AT_THE_END = (
    "one_packet",
    "gzipped",
    "chunked_trailer",
    "content_length_too_short",
    "content_length_too_long",
)
TRAILER = b"\r\n0\r\nx-checksum: none\r\n\r\n"
GZIP = zlib.MAX_WBITS | 16
HEAD_END = b"\r\n\r\n"

pytestmark = pytest.mark.parametrize("stream", EITHER_WAY, ids=["streamed", "whole"])


def seen_with(*kinds: str, stream: bool) -> Seen:
    """All that comes to a client which wants the connection closed after it."""

    async def main() -> Seen:
        faults = [KINDS[kind](at="step 1") for kind in kinds]
        async with raw("openai_chat", *faults, stream=stream) as scene:
            scene.request = scene.request.replace(HEAD_END, b"\r\nconnection: close\r\n\r\n", 1)
            await scene.send()
            async with asyncio.timeout(30):
                seen = await scene.see()
            assert scene.closed  # once
            return seen

    plain("openai_chat", stream=stream)
    return asyncio.run(main())


@pytest.mark.parametrize("kinds", [*itertools.permutations(AT_THE_END, 2)], ids=" then ".join)
def test_two_of_them_begin_with_a_head_and_come_to_an_end(
    kinds: tuple[str, str], stream: bool
) -> None:
    seen = seen_with(*kinds, stream=stream)
    assert seen.data.startswith(b"HTTP/1.1 200 ")
    assert seen.data.count(b"HTTP/1.1 ") == 1
    assert seen.end == "fin"


@pytest.mark.parametrize("other", ["one_packet", "gzipped"])
def test_a_trailer_comes_after_what_others_add_to_the_body(other: str, stream: bool) -> None:
    seen = seen_with("chunked_trailer", other, stream=stream)
    assert seen.data.endswith(TRAILER)
    body = b"".join(seen.chunks)
    assert (zlib.decompress(body, GZIP) if other == "gzipped" else body) == b"".join(
        plain("openai_chat", stream=stream)
    )


def test_excess_comes_after_the_body_in_one_packet_too(stream: bool) -> None:
    seen = seen_with("content_length_too_short", "one_packet", stream=stream)
    assert seen.rest == b"".join(plain("openai_chat", stream=stream))
    assert seen.length == len(seen.rest) - 10


def test_a_packet_keeps_its_head_when_a_length_is_wrong_as_well(stream: bool) -> None:
    seen = seen_with("one_packet", "content_length_too_short", stream=stream)
    assert seen.rest == b"".join(plain("openai_chat", stream=stream))


def test_a_length_that_is_too_long_is_so_of_the_compressed_body(stream: bool) -> None:
    seen = seen_with("content_length_too_long", "gzipped", stream=stream)
    assert seen.length == len(seen.rest) + 10
