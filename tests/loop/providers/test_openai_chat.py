"""Chat Completions, from both ends of the wire (SPEC L1, P3)."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Iterable
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

from .wire import (
    FACE,
    STREAM,
    Body,
    call,
    chunk,
    collect,
    events,
    request,
    streamed,
)

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
        (None, CLOSED, None),
        ("preferred", {**CLOSED, "required": []}, True),
        ("preferred", {**CLOSED, "properties": {"a": {"type": "object"}}}, None),
    ],
)
def test_strict_is_sent_where_asked_for_and_possible(
    wanted: str | None, parameters: dict[str, Any], spelt: bool | None
) -> None:
    face = {**FACE, "strict": wanted, "parameters": parameters}
    body = sent(request(tools=(face,)))
    assert body["tools"][0]["function"].get("strict") is spelt


def test_strict_that_is_required_and_impossible_is_refused_before_anything_is_sent() -> None:
    face = {**FACE, "strict": "required", "parameters": {"type": "object", "allOf": []}}
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


def test_an_encoded_stream_is_decoded_and_its_connection_let_go() -> None:
    raw = gzip.compress(events(chunk(content="hi"), chunk("stop")))
    body = Body(raw[:30], raw[30:])
    answer = httpx.Response(200, headers={**STREAM, "content-encoding": "gzip"}, stream=body)
    assert collect(answer) == [TextDelta("hi"), FinishDelta("stop", "stop"), EndDelta()]
    assert body.closed


def test_a_stream_that_merely_stops_has_no_end_mark() -> None:
    deltas = collect(streamed(events(chunk(content="hi"), chunk("stop"), end="")))
    assert deltas == [TextDelta("hi"), FinishDelta("stop", "stop")]


def test_a_finish_reason_of_no_known_kind_keeps_its_own_word() -> None:
    assert collect(streamed(events(chunk("pause")))) == [FinishDelta("other", "pause"), EndDelta()]


def test_halves_of_a_character_in_two_chunks_come_through() -> None:
    halves = r'{"choices":[{"index":0,"delta":{"content":"\u%s"}}]}'
    deltas = collect(streamed(events(halves % "d83d", halves % "de00")))
    assert deltas == [TextDelta("\ud83d"), TextDelta("\ude00"), EndDelta()]


def test_strict_that_was_preferred_and_cannot_be_had_is_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    face = {**FACE, "strict": "preferred", "parameters": {"type": "object", "allOf": []}}
    with caplog.at_level("INFO"):
        sent(request(tools=(face,)))
    assert "read_file is decoded without constraint: its parameters have no strict" in caplog.text


@pytest.mark.parametrize(("setting", "spelt"), [("off", None), ("preferred", True), (None, None)])
def test_a_request_can_ask_for_strict_for_tools_that_say_nothing(
    setting: Any, spelt: bool | None
) -> None:
    face = {**FACE, "strict": None, "parameters": CLOSED}
    body = sent(request(tools=(face,), strict=setting))
    assert body["tools"][0]["function"].get("strict") is spelt
