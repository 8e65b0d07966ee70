"""What goes wrong on the wire of Chat Completions, and letting go of it (SPEC D8, X8)."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import httpx
import pytest

from faultloop.loop.providers.event_stream import EVENT_BYTES_MAX
from faultloop.loop.providers.openai_chat import OpenAIChat
from faultloop.loop.providers.port import (
    EndDelta,
    ProviderFailure,
    TextDelta,
)

from .wire import (
    STREAM,
    Body,
    chunk,
    collect,
    events,
    failure,
    request,
    streamed,
)


def refused(status: int, code: str | None = None, **headers: str) -> httpx.Response:
    error = {"message": "the provider's words", "type": None, "param": None, "code": code}
    return httpx.Response(status, json={"error": error}, headers=headers)


STATUSES: list[tuple[httpx.Response, str]] = [
    (refused(429, "rate_limit_exceeded"), "rate_limited"),
    (refused(429), "rate_limited"),
    (refused(429, "insufficient_quota"), "rejected"),
    (refused(500), "unavailable"),
    (refused(503), "unavailable"),
    (httpx.Response(504, html="<h1>504 Gateway Time-out</h1>"), "unavailable"),
    (refused(408), "timeout"),
    (refused(400, "context_length_exceeded"), "overflow"),
    (refused(400, "request_cap"), "rejected"),
    (refused(401, "invalid_api_key"), "rejected"),
    (refused(404), "rejected"),
    (httpx.Response(302, headers={"location": "/elsewhere"}), "rejected"),
    (httpx.Response(200, html="<h1>Log in</h1>"), "rejected"),
    (streamed(b"data: " + b"x" * EVENT_BYTES_MAX), "rejected"),
    (httpx.Response(200, json={"choices": []}), "broken"),
    (httpx.Response(200, content=b'{"choices": [', headers={"content-type": "application/json"}),
     "broken"),
    (streamed(events("{not json}")), "broken"),
    (streamed(events({"error": {"message": "m", "code": "server_error"}})), "unavailable"),
    (streamed(events({"error": {"message": "m", "code": "rate_limit_exceeded"}})), "rate_limited"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "kind"), STATUSES)
def test_every_refusal_has_its_kind(answer: httpx.Response, kind: str) -> None:
    assert failure(answer).kind == kind


def test_a_refusal_keeps_status_code_and_the_providers_words() -> None:
    found = failure(refused(429, "rate_limit_exceeded"))
    assert found.status == 429
    assert str(found) == "the provider answered 429 (rate_limit_exceeded): the provider's words"


PLAINLY: list[tuple[httpx.Response, str]] = [
    (streamed(events("[" * 100_000)), "a streamed chunk cannot be read: it is nested too deeply"),
    (
        httpx.Response(
            200, headers={**STREAM, "content-encoding": "gzip"}, stream=Body(b"no gzip")
        ),
        "the model request failed: the answer is not compressed as it says",
    ),
    (
        streamed(b"data: " + b"x" * EVENT_BYTES_MAX),
        "the model request was given up: more than 8 MB came and no event of the stream ended",
    ),
    (
        httpx.Response(200, html="<h1>Log in</h1>"),
        "something that is no model answered with text/html; charset=utf-8 instead of JSON;"
        " look at the address",
    ),
]


@pytest.mark.parametrize(("answer", "sentence"), PLAINLY)
def test_what_no_model_says_is_told_in_plain_words(answer: httpx.Response, sentence: str) -> None:
    assert str(failure(answer)) == sentence


NOW_S = 1_445_412_480.0  # Wed, 21 Oct 2015 07:28:00 GMT
WAITS: list[tuple[dict[str, str], float | None]] = [
    ({}, None),
    ({"retry-after": "7"}, 7.0),
    ({"retry-after": "0.5"}, 0.5),
    ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
    ({"retry-after": "-3"}, 0.0),
    ({"retry-after": "soon"}, None),
    ({"retry-after": "nan"}, None),
    ({"retry-after": "Wed, 21 Oct 2015 07:28:30 GMT"}, 30.0),
    ({"retry-after": "Wed, 21 Oct 2015 07:28:30 -0000"}, 30.0),
    ({"retry-after": "Wed, 21 Oct 2015 07:00:00 GMT"}, 0.0),
]


@pytest.mark.parametrize(("headers", "wait_s"), WAITS)
def test_retry_after_is_read_as_seconds_or_as_a_date(
    headers: dict[str, str], wait_s: float | None
) -> None:
    assert failure(refused(429, None, **headers), now_s=lambda: NOW_S).retry_after_s == wait_s


EXCEPTIONS: list[tuple[Exception, str]] = [
    (httpx.ConnectError("refused"), "unavailable"),
    (httpx.ConnectTimeout("slow"), "timeout"),
    (httpx.ReadTimeout("slow"), "timeout"),
    (httpx.ReadError("reset"), "broken"),
    (httpx.RemoteProtocolError("incomplete body"), "broken"),
    (httpx.UnsupportedProtocol("what is gopher"), "rejected"),
    (httpx.InvalidURL("no host"), "rejected"),
    (httpx.StreamConsumed(), "broken"),
]


@pytest.mark.parametrize(("error", "kind"), EXCEPTIONS)
def test_every_trouble_of_the_wire_has_its_kind(error: Exception, kind: str) -> None:
    assert failure(error).kind == kind


def test_a_connection_that_breaks_in_the_middle_is_broken() -> None:
    body = events(chunk(content="hi"), end="")
    assert failure(streamed(body, httpx.ReadError("reset"))).kind == "broken"


def test_silence_between_chunks_is_a_timeout_and_lets_go_of_the_connection() -> None:
    async def scenario() -> bool:
        body = Body(events(chunk(content="hi"), end=""), asyncio.Event())
        response = httpx.Response(200, headers=STREAM, stream=body)
        transport = httpx.MockTransport(lambda _: response)
        async with httpx.AsyncClient(transport=transport) as client:
            provider = OpenAIChat(client, "http://provider/v1", idle_timeout_s=0.01)
            with pytest.raises(ProviderFailure, match="the provider fell silent") as caught:
                async for _ in provider.stream(request()):
                    pass
        assert caught.value.kind == "timeout"
        return body.closed

    assert asyncio.run(scenario())


def test_a_refusal_that_never_ends_is_a_timeout_and_lets_go_of_the_connection() -> None:
    body = Body(b'{"error": {"mess', asyncio.Event())
    found = failure(httpx.Response(500, stream=body), idle_timeout_s=0.01)
    assert (found.kind, body.closed) == ("timeout", True)


def test_a_provider_that_never_answers_is_a_timeout() -> None:
    async def scenario() -> None:
        async def never(_: httpx.Request) -> httpx.Response:
            await asyncio.Event().wait()
            raise AssertionError("not reached")

        async with httpx.AsyncClient(transport=httpx.MockTransport(never)) as client:
            provider = OpenAIChat(client, "http://provider/v1", answer_timeout_s=0.01)
            with pytest.raises(ProviderFailure, match="no answer") as caught:
                async for _ in provider.stream(request()):
                    pass
        assert caught.value.kind == "timeout"

    asyncio.run(scenario())


def test_what_goes_wrong_after_the_end_mark_no_longer_matters() -> None:
    for trouble in (httpx.ReadError("reset"), asyncio.Event()):
        deltas = collect(streamed(events(chunk(content="hi")), trouble), idle_timeout_s=0.01)
        assert deltas == [TextDelta("hi"), EndDelta()]


# --- letting go, over a real socket -------------------------------------------------------------


class Server:
    """Answers one connection with these bytes and notices when the client lets go."""

    def __init__(self, payload: bytes, *, hang_up: bool) -> None:
        self.payload = payload
        self.hang_up = hang_up
        self.gone = asyncio.Event()

    async def __aenter__(self) -> Server:
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()
        await self.server.wait_closed()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        await reader.readexactly(length)
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            b"transfer-encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(self.payload), self.payload)
        )
        await writer.drain()
        if not self.hang_up:
            await reader.read()  # ends when the client closes
            self.gone.set()
        writer.close()


def test_closing_the_iterator_closes_the_connection() -> None:
    async def scenario() -> None:
        async with (
            Server(events(chunk(content="hi"), end=""), hang_up=False) as server,
            httpx.AsyncClient() as client,
        ):
            async with aclosing(OpenAIChat(client, server.url).stream(request())) as deltas:
                assert await anext(deltas) == TextDelta("hi")
            async with asyncio.timeout(60):
                await server.gone.wait()

    asyncio.run(scenario())


def test_cancelling_the_listener_closes_the_connection() -> None:
    async def scenario() -> None:
        async with (
            Server(events(chunk(content="hi"), end=""), hang_up=False) as server,
            httpx.AsyncClient() as client,
        ):
            first = asyncio.Event()

            async def listen() -> None:
                async for _ in OpenAIChat(client, server.url).stream(request()):
                    first.set()

            listening = asyncio.create_task(listen())
            await first.wait()
            listening.cancel()
            async with asyncio.timeout(60):
                await server.gone.wait()
            with pytest.raises(asyncio.CancelledError):
                await listening

    asyncio.run(scenario())


def test_a_body_that_is_cut_off_is_broken_not_ended() -> None:
    async def scenario() -> None:
        async with (
            Server(events(chunk(content="hi"), end=""), hang_up=True) as server,
            httpx.AsyncClient() as client,
        ):
            with pytest.raises(ProviderFailure) as caught:
                async for _ in OpenAIChat(client, server.url).stream(request()):
                    pass
            assert caught.value.kind == "broken"

    asyncio.run(scenario())
