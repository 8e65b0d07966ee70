"""The client: a bare one says on the wire what httpx's own would say, and nothing more."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Callable

import httpx
import pytest

from faultloop.loop.client import BareClient, Client, pieces_of

URL = httpx.URL("http://provider:8080/v1/chat?a=b")
HEADERS = {"content-type": "application/json", "authorization": "Bearer key"}

Handler = Callable[[httpx.Request], httpx.Response]


class Body(httpx.AsyncByteStream):
    """A body in two pieces, of which the second may be trouble."""

    def __init__(self, *, trouble: Exception | None = None) -> None:
        self.trouble = trouble
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"first "
        if self.trouble is not None:
            raise self.trouble
        yield b"second"

    async def aclose(self) -> None:
        self.closed = True


def sent_by(client: Callable[[httpx.AsyncBaseTransport], Client], content: bytes | None) -> str:
    """What a transport is given, as HTTP would write it; its own name apart."""
    seen: list[httpx.Request] = []

    async def go() -> bytes:
        def handler(request: httpx.Request) -> httpx.Response:
            seen.append(request)
            return httpx.Response(200)

        speaker = client(httpx.MockTransport(handler))
        method = "GET" if content is None else "POST"
        await speaker.send(
            speaker.build_request(method, URL, content=content, headers=HEADERS, timeout=None)
        )
        return await seen[0].aread()

    body = asyncio.run(go())
    own = {"accept", "accept-encoding", "connection", "user-agent"}
    headers = sorted(
        f"{name}: {value}" for name, value in seen[0].headers.items() if name not in own
    )
    return "\n".join([f"{seen[0].method} {seen[0].url}", *headers, body.decode()])


@pytest.mark.parametrize("content", [None, b"", b'{"a": 1}'])
def test_it_says_what_httpx_would_say(content: bytes | None) -> None:
    bare = sent_by(BareClient, content)
    assert "host: provider:8080" in bare
    assert bare == sent_by(lambda transport: httpx.AsyncClient(transport=transport), content)


def test_a_header_that_cannot_be_written_is_refused_before_anything_is_sent() -> None:
    client = BareClient(httpx.MockTransport(lambda _: httpx.Response(200)))
    with pytest.raises(ValueError, match="ascii"):
        client.build_request("GET", URL, headers={"x-call-id": "ü"})


def test_a_whole_answer_is_read_and_its_connection_let_go() -> None:
    body = Body()

    async def go() -> httpx.Response:
        client = BareClient(httpx.MockTransport(lambda _: httpx.Response(200, stream=body)))
        return await client.send(client.build_request("GET", URL))

    assert asyncio.run(go()).content == b"first second"
    assert body.closed


def test_a_body_that_breaks_is_raised_and_its_connection_let_go() -> None:
    body = Body(trouble=httpx.ReadError("reset"))

    async def go() -> None:
        client = BareClient(httpx.MockTransport(lambda _: httpx.Response(200, stream=body)))
        with pytest.raises(httpx.ReadError):
            await client.send(client.build_request("GET", URL))

    asyncio.run(go())
    assert body.closed


def test_a_streamed_answer_is_left_to_whoever_asked() -> None:
    body = Body()

    async def go() -> None:
        client = BareClient(httpx.MockTransport(lambda _: httpx.Response(200, stream=body)))
        response = await client.send(client.build_request("GET", URL), stream=True)
        assert [piece async for piece in response.aiter_raw()] == [b"first ", b"second"]

    asyncio.run(go())


def test_an_encoded_body_comes_decoded_and_any_other_as_it_is() -> None:
    async def read(raw: bytes, **headers: str) -> bytes:
        answer = httpx.Response(200, headers=headers, stream=httpx.ByteStream(raw))
        client = BareClient(httpx.MockTransport(lambda _: answer))
        response = await client.send(client.build_request("GET", URL), stream=True)
        return b"".join([piece async for piece in pieces_of(response)])

    packed = gzip.compress(b"a letter")
    assert asyncio.run(read(packed, **{"content-encoding": "gzip"})) == b"a letter"
    assert asyncio.run(read(packed)) == packed


def test_its_transport_is_opened_and_closed_with_it() -> None:
    seen: list[str] = []

    class Transport(httpx.AsyncBaseTransport):
        async def __aenter__(self) -> Transport:
            seen.append("opened")
            return self

        async def __aexit__(self, *_: object) -> None:
            seen.append("closed")

    async def go() -> None:
        async with BareClient(Transport()) as client:
            assert isinstance(client, BareClient)
            seen.append("used")

    asyncio.run(go())
    assert seen == ["opened", "used", "closed"]
