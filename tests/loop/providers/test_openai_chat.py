"""Chat Completions, from both ends of the wire (SPEC L1, P3, D8, X8)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import aclosing
from typing import Any

import httpx
import pytest

from faultloop.loop.message import AssistantMessage, Call, Notice, ResultMessage, UserMessage
from faultloop.loop.providers.openai_chat import OpenAIChat
from faultloop.loop.providers.port import (
    CallDelta,
    Delta,
    EndDelta,
    FinishDelta,
    ModelRequest,
    ProviderFailure,
    TextDelta,
    UsageDelta,
)

FACE = {
    "name": "read_file",
    "description": "Read.",
    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
    "strict": "off",
}


def request(**changes: Any) -> ModelRequest:
    fields: dict[str, Any] = {
        "model": "fake-model",
        "system": "Be brief.",
        "messages": (UserMessage(id="u1", text="hello"),),
        "tools": (FACE,),
        "stream": True,
    }
    return ModelRequest(**{**fields, **changes})


class Body(httpx.AsyncByteStream):
    """A body in pieces; an exception among them breaks it, an event is waited for."""

    def __init__(self, *pieces: bytes | Exception | asyncio.Event) -> None:
        self.pieces = pieces
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            if isinstance(piece, Exception):
                raise piece
            if isinstance(piece, asyncio.Event):
                await piece.wait()
                continue
            yield piece

    async def aclose(self) -> None:
        self.closed = True


def events(*data: object, end: str = "data: [DONE]\n\n") -> bytes:
    spelt = [item if isinstance(item, str) else json.dumps(item) for item in data]
    return ("".join(f"data: {item}\n\n" for item in spelt) + end).encode()


def chunk(finish: str | None = None, **delta: object) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def call(index: int | None, **function: object) -> dict[str, object]:
    return {"index": index, "function": function}


STREAM = {"content-type": "text/event-stream; charset=utf-8"}
Handler = Callable[[httpx.Request], httpx.Response]


def collect(
    answer: httpx.Response | Exception, asked: ModelRequest | None = None, **settings: Any
) -> list[Delta]:
    """What comes of one request that is answered like this."""

    def handler(_: httpx.Request) -> httpx.Response:
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def scenario() -> list[Delta]:
        async with httpx.AsyncClient(transport=httpx.MockTransport(handler)) as client:
            provider = OpenAIChat(client, "http://provider/v1/", "key", **settings)
            return [delta async for delta in provider.stream(asked or request())]

    return asyncio.run(scenario())


def streamed(*pieces: bytes | Exception | asyncio.Event) -> httpx.Response:
    return httpx.Response(200, headers=STREAM, stream=Body(*pieces))


def failure(answer: httpx.Response | Exception, **settings: Any) -> ProviderFailure:
    with pytest.raises(ProviderFailure) as caught:
        collect(answer, **settings)
    return caught.value


# --- what is sent ------------------------------------------------------------------------------


def sent(asked: ModelRequest, **settings: Any) -> dict[str, Any]:
    seen: list[httpx.Request] = []

    def handler(arrived: httpx.Request) -> httpx.Response:
        seen.append(arrived)
        return streamed(events(chunk("stop")))

    async def scenario() -> None:
        async with httpx.AsyncClient(transport=httpx.MockTransport(handler)) as client:
            provider = OpenAIChat(client, "http://provider/v1/", "key", **settings)
            async for _ in provider.stream(asked):
                pass

    asyncio.run(scenario())
    assert str(seen[0].url) == "http://provider/v1/chat/completions"
    assert seen[0].headers["authorization"] == "Bearer key"
    body = json.loads(seen[0].content)
    assert isinstance(body, dict)
    return body


def test_a_conversation_is_spelt_with_every_result_under_its_calls_id() -> None:
    body = sent(
        request(
            messages=(
                UserMessage(id="u1", text="hello"),
                AssistantMessage(
                    id="m1",
                    text="",
                    calls=(
                        Call(id="a", name="read_file", arguments='{"path": "x"}'),
                        Call(id="b", name="functions.read file", arguments='{"path": "y'),
                    ),
                ),
                ResultMessage(call_id="a", content="text of x", ok=True),
                ResultMessage(call_id="b", content="not valid JSON", ok=False),
                Notice(text="The user stopped you here."),
                AssistantMessage(id="m2", text="", calls=()),
            ),
            output_tokens_max=77,
        )
    )
    assert body == {
        "model": "fake-model",
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_completion_tokens": 77,
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "read_file",
                    "description": "Read.",
                    "parameters": FACE["parameters"],
                },
            }
        ],
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "hello"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "a",
                        "type": "function",
                        "function": {"name": "read_file", "arguments": '{"path": "x"}'},
                    },
                    {
                        "id": "b",
                        "type": "function",
                        "function": {"name": "functions_read_file", "arguments": "{}"},
                    },
                ],
            },
            {"role": "tool", "tool_call_id": "a", "content": "text of x"},
            {"role": "tool", "tool_call_id": "b", "content": "not valid JSON"},
            {"role": "system", "content": "The user stopped you here."},
            {"role": "assistant", "content": ""},
        ],
    }


def test_a_whole_request_names_no_stream_and_a_bare_one_no_empty_fields() -> None:
    body = sent(request(stream=False, system="", tools=()))
    assert body.keys() == {"model", "messages"}


def test_a_notice_can_come_under_the_users_role_for_servers_that_know_no_other() -> None:
    body = sent(request(messages=(Notice(text="n"),)), notice_role="user")
    assert body["messages"][-1] == {"role": "user", "content": "n"}


CLOSED = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("wanted", "parameters", "spelt"),
    [
        ("off", CLOSED, None),
        ("preferred", CLOSED, True),
        ("required", CLOSED, True),
        ("preferred", {**CLOSED, "required": []}, None),
        ("preferred", {**CLOSED, "properties": {"a": {"type": "object"}}}, None),
    ],
)
def test_strict_is_sent_where_asked_for_and_possible(
    wanted: str, parameters: dict[str, Any], spelt: bool | None
) -> None:
    face = {**FACE, "strict": wanted, "parameters": parameters}
    body = sent(request(tools=(face,)))
    assert body["tools"][0]["function"].get("strict") is spelt


def test_strict_that_is_required_and_impossible_is_refused_before_anything_is_sent() -> None:
    face = {**FACE, "strict": "required"}
    with pytest.raises(ProviderFailure, match="read_file requires strict decoding") as caught:
        collect(streamed(events()), request(tools=(face,)))
    assert caught.value.kind == "rejected"


# --- what comes back ---------------------------------------------------------------------------

REPLY: list[Delta] = [
    TextDelta("Let me "),
    TextDelta("see. ü😀"),
    CallDelta(0, "a", "read_file", ""),
    CallDelta(0, None, None, '{"path":'),
    CallDelta(1, "b", "now", "{}"),
    CallDelta(0, None, None, ' "x"}'),
    FinishDelta("tool_calls", "tool_calls"),
    UsageDelta(20, 5, 8),
    EndDelta(),
]

REPLY_BYTES = events(
    chunk(role="assistant", content=""),
    chunk(content="Let me "),
    '{"choices":[{"index":0,"delta":{"content":"see. ü😀"},"finish_reason":null}]}',
    chunk(tool_calls=[{"index": 0, "id": "a", "type": "function",
                       "function": {"name": "read_file", "arguments": ""}}]),
    chunk(tool_calls=[call(0, arguments='{"path":')]),
    chunk(tool_calls=[{**call(1, name="now", arguments="{}"), "id": "b"}]),
    chunk(tool_calls=[call(0, arguments=' "x"}')]),
    chunk("tool_calls"),
    {"choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 5,
                              "prompt_tokens_details": {"cached_tokens": 8}}},
)  # fmt: skip


@pytest.mark.parametrize("size", [1, 2, 3, 7, 10_000])
def test_a_streamed_reply_is_the_same_however_the_wire_cuts_it(size: int) -> None:
    pieces = [REPLY_BYTES[start : start + size] for start in range(0, len(REPLY_BYTES), size)]
    assert collect(streamed(*pieces)) == REPLY


def test_a_whole_reply_comes_as_the_same_kinds_of_deltas() -> None:
    completion = {
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": "Let me see.",
                    "tool_calls": [
                        {"id": "a", "function": {"name": "read_file", "arguments": "{}"}},
                        {"id": "b", "function": {"name": "now", "arguments": {"zone": "ü"}}},
                    ],
                },
                "finish_reason": "tool_calls",
            }
        ],
        "usage": {"prompt_tokens": 20, "completion_tokens": 5},
    }
    expected = [
        TextDelta("Let me see."),
        CallDelta(0, "a", "read_file", "{}"),
        CallDelta(1, "b", "now", '{"zone":"ü"}'),
        FinishDelta("tool_calls", "tool_calls"),
        UsageDelta(20, 5, 0),
        EndDelta(),
    ]
    assert collect(httpx.Response(200, json=completion), request(stream=False)) == expected
    assert collect(httpx.Response(200, json=completion), request(stream=True)) == expected


NOTHING: Iterable[bytes] = [
    b": a comment that keeps the connection alive\n\n",
    b"event: ping\ndata: {not json}\n\n",
    b"id: 5\nretry: 100\n\n",
    b'data: {"choices":null}\n\n',
    b'data: {"object":"something.new","choices":[{"index":1,"delta":{"content":"no"}}]}\n\n',
    b'data: {"choices":[{"index":0,"delta":null,"finish_reason":""}]}\n\n',
    b'data: {"choices":[{"index":0,"delta":{"content":null,"tool_calls":null}}]}\n\n',
]


@pytest.mark.parametrize("noise", NOTHING)
def test_noise_on_the_wire_changes_nothing(noise: bytes) -> None:
    assert collect(streamed(noise, events(chunk(content="hi")), noise)) == [
        TextDelta("hi"),
        EndDelta(),
    ]


def test_a_stream_that_merely_stops_has_no_end_mark() -> None:
    deltas = collect(streamed(events(chunk(content="hi"), chunk("stop"), end="")))
    assert deltas == [TextDelta("hi"), FinishDelta("stop", "stop")]


def test_a_finish_reason_of_no_known_kind_keeps_its_own_word() -> None:
    assert collect(streamed(events(chunk("pause")))) == [FinishDelta("other", "pause"), EndDelta()]


def test_halves_of_a_character_in_two_chunks_come_through() -> None:
    halves = r'{"choices":[{"index":0,"delta":{"content":"\u%s"}}]}'
    deltas = collect(streamed(events(halves % "d83d", halves % "de00")))
    assert deltas == [TextDelta("\ud83d"), TextDelta("\ude00"), EndDelta()]


# --- what goes wrong ---------------------------------------------------------------------------


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
    (httpx.Response(200, html="<h1>Log in</h1>"), "unavailable"),
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
            async with asyncio.timeout(10):
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
            async with asyncio.timeout(10):
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
