"""Anthropic's Messages, from both ends of the wire (SPEC L1, P3)."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from faultloop.loop.message import AssistantMessage, Notice, UserMessage
from faultloop.loop.providers.anthropic_messages import AnthropicMessages
from faultloop.loop.providers.port import (
    ALIVE,
    CallDelta,
    Delta,
    EndDelta,
    FinishDelta,
    ModelRequest,
    ProviderFailure,
    TextDelta,
    UsageDelta,
)

from .said import ASKED, BARE, SAFE_ID
from .wire import collect, failure, named, request, sent, streamed

Object = dict[str, Any]

# --- what is sent ------------------------------------------------------------------------------


def body(asked: ModelRequest) -> Object:
    found = json.loads(sent(asked, AnthropicMessages).content)
    assert isinstance(found, dict)
    return found


def test_a_conversation_is_spelt_in_turns_with_results_first() -> None:
    found = body(ASKED)
    assert found.pop("tools")[0].keys() == {"name", "description", "input_schema"}
    assert found == {
        "model": "fake-model",
        "max_tokens": 77,
        "temperature": 0.5,
        "stream": True,
        "system": "Be brief.",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "hello"}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "Both."},
                    {"type": "tool_use", "id": "a", "name": "read_file", "input": {"path": "x"}},
                    {
                        "type": "tool_use",
                        "id": SAFE_ID,
                        "name": "functions_read_file",
                        "input": {},
                    },
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "a", "content": "text of x"},
                    {
                        "type": "tool_result",
                        "tool_use_id": SAFE_ID,
                        "content": "not valid JSON",
                        "is_error": True,
                    },
                    {
                        "type": "text",
                        "text": "<runtime-notice>\nThe user stopped you here.\n</runtime-notice>",
                    },
                    {"type": "text", "text": "go on"},
                ],
            },
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "b", "name": "now", "input": {}}],
            },
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "b", "content": ""}],
            },
        ],
    }


def test_the_key_and_the_version_are_shown() -> None:
    asked = sent(BARE, AnthropicMessages)
    assert str(asked.url) == "http://provider/v1/messages"
    assert asked.headers["x-api-key"] == "key"
    assert asked.headers["anthropic-version"] == "2023-06-01"


def test_a_bare_request_has_no_empty_fields_but_the_limit_that_the_api_wants() -> None:
    found = body(BARE)
    assert found.keys() == {"model", "max_tokens", "messages"}
    assert found["max_tokens"] == 16_384


def test_blank_text_is_not_said() -> None:
    said = (
        UserMessage(id="u", text=" "),
        AssistantMessage(id="m", text="\n"),
        AssistantMessage(id="n", text="a"),
        AssistantMessage(id="o", text="b"),
        Notice(text="n"),
    )
    turns = body(request(messages=said))["messages"]
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user"]
    assert [len(turn["content"]) for turn in turns] == [1, 2, 1]


def test_strict_is_asked_for_where_the_tool_wants_it() -> None:
    closed = {"type": "object", "properties": {}, "additionalProperties": False}
    face = {"name": "now", "description": "d", "parameters": closed, "strict": "required"}
    assert body(request(tools=(face,)))["tools"][0]["strict"] is True


# --- what comes back ---------------------------------------------------------------------------


def block(at: int, **fields: Any) -> Object:
    return {"type": "content_block_start", "index": at, "content_block": fields}


def use(at: int, id_: str, name: str, **fields: Any) -> Object:
    return block(at, type="tool_use", id=id_, name=name, **{"input": {}, **fields})


def grown(at: int, **delta: Any) -> Object:
    return {"type": "content_block_delta", "index": at, "delta": delta}


def piece(at: int, text: str) -> Object:
    return grown(at, type="input_json_delta", partial_json=text)


def stop(at: int) -> Object:
    return {"type": "content_block_stop", "index": at}


def finish(reason: str | None, **usage: Any) -> Object:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


START = {
    "type": "message_start",
    "message": {
        "usage": {
            "input_tokens": 20,
            "cache_read_input_tokens": 8,
            "cache_creation_input_tokens": 2,
            "output_tokens": 1,
        }
    },
}
END = {"type": "message_stop"}


def read(*events: Object) -> list[Delta]:
    return collect(streamed(named(*events)), speaks=AnthropicMessages)


def test_a_streamed_reply_is_read_and_thinking_is_a_sign_of_life() -> None:
    deltas = read(
        START,
        block(0, type="thinking", thinking=""),
        grown(0, type="thinking_delta", thinking="hm"),
        grown(0, type="signature_delta", signature="s"),
        stop(0),
        block(1, type="text", text=""),
        grown(1, type="text_delta", text="Hi"),
        stop(1),
        use(2, "a", "read_file"),
        piece(2, ""),
        piece(2, '{"path":'),
        piece(2, '"x"}'),
        stop(2),
        use(3, "b", "now"),
        piece(3, ""),
        stop(3),
        finish("tool_use", output_tokens=9, input_tokens=None),
        END,
    )
    assert deltas == [
        UsageDelta(30, 1, 8),
        ALIVE,
        ALIVE,
        ALIVE,
        TextDelta("Hi"),
        CallDelta(0, "a", "read_file"),
        CallDelta(0, arguments='{"path":'),
        CallDelta(0, arguments='"x"}'),
        CallDelta(1, "b", "now"),
        CallDelta(1, arguments="{}"),
        FinishDelta("tool_calls", "tool_use"),
        UsageDelta(30, 9, 8),
        EndDelta(),
    ]


ODD: list[tuple[list[Object], list[Delta]]] = [
    ([block(0, type="text", text="Hi")], [TextDelta("Hi")]),
    # arguments that came with the beginning, and no end of the block
    (
        [use(0, "a", "f", input={"x": "ü"}), END],
        [CallDelta(0, "a", "f"), CallDelta(0, arguments='{"x":"ü"}'), EndDelta()],
    ),
    # begun again: once more, with its id late, and as another call
    (
        [use(0, "", "f"), piece(0, "{}"), use(0, "a", "f"), use(0, "a", "f"), stop(0)],
        [
            CallDelta(0, None, "f"),
            CallDelta(0, arguments="{}"),
            CallDelta(0, "a", "f"),
            CallDelta(0, "a", "f"),
        ],
    ),
    (
        [use(0, "a", "f"), piece(0, "{}"), use(0, "b", "g"), stop(0)],
        [
            CallDelta(0, "a", "f"),
            CallDelta(0, arguments="{}"),
            CallDelta(0, "b", "g"),
            CallDelta(0, arguments="{}"),
        ],
    ),
    # a call of a tool that the provider runs is none of ours
    ([block(0, type="server_tool_use", id="s"), piece(0, "{}"), stop(0)], [ALIVE, ALIVE]),
    # without an index, without a beginning, without anything
    ([{**use(0, "a", "f"), "index": None}], [CallDelta(None, "a", "f")]),
    ([{**grown(0, text="Hi"), "index": None}], [TextDelta("Hi")]),
    ([piece(1, "{}")], [CallDelta(1, arguments="{}")]),
    ([{"type": "content_block_delta", "index": 0, "delta": None}], []),
    ([grown(0, type="thinking_delta", thinking="hm")], []),
    ([{"type": "message_start", "message": {"usage": {"input_tokens": 0}}}], []),
    ([finish(None, output_tokens=3)], [UsageDelta(0, 3)]),
    ([{"type": "gateway_metrics"}, {"type": "ping"}], []),
    ([{"type": "message", "what": "is it"}], []),
]


@pytest.mark.parametrize(("events", "deltas"), ODD)
def test_what_servers_do_differently_is_read_for_what_it_means(
    events: list[Object], deltas: list[Delta]
) -> None:
    assert read(*events) == deltas


def test_events_without_names_are_known_by_their_types() -> None:
    data = (grown(0, type="text_delta", text="Hi"), finish("end_turn"), END)
    raw = "".join(f"data: {json.dumps(one)}\n\n" for one in data).encode()
    assert collect(streamed(raw), speaks=AnthropicMessages) == [
        TextDelta("Hi"),
        FinishDelta("stop", "end_turn"),
        EndDelta(),
    ]


REASONS = [
    ("end_turn", "stop"),
    ("stop_sequence", "stop"),
    ("tool_use", "tool_calls"),
    ("max_tokens", "length"),
    ("model_context_window_exceeded", "length"),
    ("refusal", "content_filter"),
    ("pause_turn", "other"),
]


@pytest.mark.parametrize(("raw", "reason"), REASONS)
def test_every_stop_reason_has_its_meaning_and_keeps_its_word(raw: str, reason: Any) -> None:
    assert read(finish(raw)) == [FinishDelta(reason, raw)]


def whole(**message: Any) -> list[Delta]:
    return collect(httpx.Response(200, json=message), speaks=AnthropicMessages)


def test_a_whole_reply_comes_as_the_same_kinds_of_deltas() -> None:
    content = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "Hi"},
        {"type": "tool_use", "id": "a", "name": "read_file", "input": {"path": "ü"}},
        {"type": "tool_use", "id": "b", "name": "now"},
        {"type": "text", "text": ""},
    ]
    usage = {"input_tokens": 5, "cache_read_input_tokens": 3, "output_tokens": 2}
    assert whole(content=content, stop_reason="tool_use", usage=usage) == [
        TextDelta("Hi"),
        CallDelta(0, "a", "read_file", '{"path":"ü"}'),
        CallDelta(1, "b", "now", "{}"),
        FinishDelta("tool_calls", "tool_use"),
        UsageDelta(8, 2, 3),
        EndDelta(),
    ]


def test_a_body_that_is_no_message_is_a_failure() -> None:
    with pytest.raises(ProviderFailure, match="holds no content") as caught:
        whole(type="message")
    assert caught.value.kind == "broken"
    for error in ({"type": "error", "error": {"type": "api_error", "message": "m"}},):
        with pytest.raises(ProviderFailure, match=r"\(api_error\): m") as caught:
            whole(**error)
        assert caught.value.kind == "unavailable"


IN_STREAM = [
    ("overloaded_error", "unavailable"),
    ("rate_limit_error", "rate_limited"),
    ("timeout_error", "timeout"),
    ("invalid_request_error", "rejected"),
    ("something_new", "unavailable"),
]


@pytest.mark.parametrize(("code", "kind"), IN_STREAM)
def test_an_error_in_the_stream_has_its_kind(code: str, kind: str) -> None:
    error = {"type": "error", "error": {"type": code, "message": "m"}}
    found = failure(streamed(named(START, error)), speaks=AnthropicMessages)
    assert (found.kind, str(found)) == (
        kind,
        f"the provider broke off with an error ({code}): m",
    )


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [
        (400, "prompt is too long: 9 tokens > 8 maximum", "overflow"),
        (400, "input length and `max_tokens` exceed context limit: 1 + 2 > 2", "overflow"),
        (400, "messages: Field required", "rejected"),
        (500, "prompt is too long", "unavailable"),
    ],
)
def test_a_context_that_is_too_long_is_known_by_its_words(
    status: int, message: str, kind: str
) -> None:
    error = {"type": "invalid_request_error", "message": message}
    answer = httpx.Response(status, json={"type": "error", "error": error})
    assert failure(answer, speaks=AnthropicMessages).kind == kind


def test_a_body_that_is_too_large_is_an_overflow() -> None:
    answer = httpx.Response(413, json={"error": {"type": "request_too_large", "message": "m"}})
    assert failure(answer, speaks=AnthropicMessages).kind == "overflow"
