"""OpenAI's Responses, from both ends of the wire (SPEC L1, P3)."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from faultloop.loop.message import AssistantMessage, Notice
from faultloop.loop.providers.openai_responses import OpenAIResponses
from faultloop.loop.providers.port import (
    ALIVE,
    CallDelta,
    Delta,
    EndDelta,
    FinishDelta,
    ModelRequest,
    TextDelta,
    UsageDelta,
)

from .said import ASKED, BARE, SAFE_ID
from .wire import collect, failure, named, request, sent, streamed

Object = dict[str, Any]

# --- what is sent ------------------------------------------------------------------------------


def body(asked: ModelRequest, **settings: Any) -> Object:
    found = json.loads(sent(asked, OpenAIResponses, **settings).content)
    assert isinstance(found, dict)
    return found


def test_a_conversation_is_spelt_as_items_that_bear_no_ids_of_their_own() -> None:
    found = body(ASKED)
    (tool,) = found.pop("tools")
    assert tool.keys() == {"type", "name", "description", "parameters", "strict"}
    assert found == {
        "model": "fake-model",
        "max_output_tokens": 77,
        "temperature": 0.5,
        "stream": True,
        "store": False,
        "instructions": "Be brief.",
        "input": [
            {"role": "user", "content": "hello"},
            {"role": "assistant", "content": "Both."},
            {
                "type": "function_call",
                "call_id": "a",
                "name": "read_file",
                "arguments": '{"path": "x"}',
            },
            {
                "type": "function_call",
                "call_id": SAFE_ID,
                "name": "functions_read_file",
                "arguments": "{}",
            },
            {"type": "function_call_output", "call_id": "a", "output": "text of x"},
            {"type": "function_call_output", "call_id": SAFE_ID, "output": "not valid JSON"},
            {"role": "system", "content": "The user stopped you here."},
            {"role": "user", "content": "go on"},
            {"role": "assistant", "content": ""},
            {"type": "function_call", "call_id": "b", "name": "now", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "b", "output": ""},
        ],
    }


def test_the_key_is_shown_and_a_bare_request_has_no_empty_fields() -> None:
    asked = sent(BARE, OpenAIResponses)
    assert str(asked.url) == "http://provider/responses"
    assert asked.headers["authorization"] == "Bearer key"
    assert body(BARE).keys() == {"model", "input", "store"}


def test_a_notice_can_come_under_another_role() -> None:
    said = (Notice(text="n"), AssistantMessage(id="m", text="ok"))
    items = body(request(messages=said), notice_role="developer")["input"]
    assert [item["role"] for item in items] == ["developer", "assistant"]


# --- what comes back ---------------------------------------------------------------------------


def call(at: int | None, call_id: str, name: str, arguments: str = "") -> Object:
    item = {"type": "function_call", "call_id": call_id, "name": name, "arguments": arguments}
    return {"output_index": at, "item": {"id": f"fc_{call_id}", **item}}


def added(at: int | None, call_id: str, name: str) -> Object:
    return {"type": "response.output_item.added", **call(at, call_id, name)}


def done(at: int | None, call_id: str, name: str, arguments: str = "") -> Object:
    return {"type": "response.output_item.done", **call(at, call_id, name, arguments)}


def piece(at: int | None, text: str, **fields: Any) -> Object:
    kind = "response.function_call_arguments.delta"
    return {"type": kind, "output_index": at, "delta": text, **fields}


def told(text: str) -> Object:
    return {"type": "response.output_text.delta", "output_index": 0, "delta": text}


def message(*parts: Object) -> Object:
    return {"type": "message", "content": list(parts)}


def item(what: str, at: int, item: Object) -> Object:
    return {"type": f"response.output_item.{what}", "output_index": at, "item": item}


def ended(status: str | None = "completed", **fields: Any) -> Object:
    kind = "incomplete" if status == "incomplete" else "completed"
    return {"type": f"response.{kind}", "response": {"status": status, **fields}}


HI = {"type": "output_text", "text": "Hi"}
STOPPED: list[Delta] = [FinishDelta("stop", "completed"), EndDelta()]
CALLED: list[Delta] = [FinishDelta("tool_calls", "completed"), EndDelta()]


def read(*events: Object) -> list[Delta]:
    return collect(streamed(named(*events)), speaks=OpenAIResponses)


def test_a_streamed_reply_is_read_and_what_is_not_kept_is_a_sign_of_life() -> None:
    usage = {
        "input_tokens": 20,
        "input_tokens_details": {"cached_tokens": 8},
        "output_tokens": 5,
    }
    deltas = read(
        {"type": "response.created", "response": {}},
        item("added", 0, {"type": "reasoning", "id": "rs_1"}),
        {"type": "response.reasoning_summary_text.delta", "delta": "hm"},
        item("done", 0, {"type": "reasoning", "content": [{"text": "hm"}]}),
        item("added", 1, message()),
        {**told("Hi"), "output_index": 1},
        item("done", 1, message(HI)),
        added(2, "a", "read_file"),
        piece(2, '{"pa'),
        piece(2, 'th":"x"}'),
        done(2, "a", "read_file", '{"path":"x"}'),
        added(3, "b", "now"),
        done(3, "b", "now", "{}"),
        ended(usage=usage),
    )
    assert deltas == [
        ALIVE,
        ALIVE,
        ALIVE,
        TextDelta("Hi"),
        CallDelta(0, "a", "read_file"),
        ALIVE,
        ALIVE,
        CallDelta(0, arguments='{"path":"x"}'),
        CallDelta(1, "b", "now"),
        CallDelta(1, arguments="{}"),
        FinishDelta("tool_calls", "completed"),
        UsageDelta(20, 5, 8),
        EndDelta(),
    ]


def test_arguments_that_are_told_whole_are_believed_and_not_the_pieces() -> None:
    assert read(
        added(0, "a", "f"), piece(0, '{"x"'), piece(0, "2}"), done(0, "a", "f", '{"x":12}')
    )[-1] == CallDelta(0, arguments='{"x":12}')


WHOLE = {
    "type": "response.function_call_arguments.done",
    "output_index": 0,
    "arguments": '{"x":1}',
}

ODD: list[tuple[list[Object], list[Delta]]] = [
    # nothing says that the call is over but the response's end
    (
        [added(0, "a", "f"), piece(0, "{"), piece(0, "}"), ended()],
        [CallDelta(0, "a", "f"), ALIVE, ALIVE, CallDelta(0, arguments="{}"), *CALLED],
    ),
    (
        [added(0, "a", "f"), WHOLE, ended()],
        [CallDelta(0, "a", "f"), CallDelta(0, arguments='{"x":1}'), *CALLED],
    ),
    # nothing says that it began, or only late, or it is said again
    ([piece(0, "{}"), ended()], [ALIVE, CallDelta(0, arguments="{}"), *CALLED]),
    (
        [done(0, "a", "f", "{}"), piece(0, "late"), ended()],
        [CallDelta(0, "a", "f"), CallDelta(0, arguments="{}"), ALIVE, *CALLED],
    ),
    (
        [added(0, "", "f"), added(0, "a", "f"), done(0, "a", "f", "{}")],
        [CallDelta(0, None, "f"), CallDelta(0, "a", "f"), CallDelta(0, arguments="{}")],
    ),
    # two calls at one place
    (
        [added(0, "a", "f"), piece(0, "{}"), added(0, "b", "g"), done(0, "b", "g", "[]")],
        [
            CallDelta(0, "a", "f"),
            ALIVE,
            CallDelta(0, arguments="{}"),
            CallDelta(0, "b", "g"),
            CallDelta(0, arguments="[]"),
        ],
    ),
    # places that are known by the item's id alone
    (
        [added(None, "a", "f"), piece(None, "{}", item_id="fc_a"), done(None, "a", "f")],
        [CallDelta(None, "a", "f"), ALIVE, CallDelta(None, "a", arguments="{}")],
    ),
    # text that comes only when it is over, or only at the end
    ([item("done", 0, message(HI))], [TextDelta("Hi")]),
    ([item("done", 0, message())], []),
    ([{**told(""), "delta": None}], []),
    (
        [ended(output=[message(HI), call(0, "a", "f", "{}")["item"]])],
        [TextDelta("Hi"), CallDelta(0, "a", "f", "{}"), *CALLED],
    ),
    ([told("Hi"), ended(output=[message(HI)])], [TextDelta("Hi"), *STOPPED]),
    ([{**told("No."), "type": "response.refusal.delta"}], [TextDelta("No.")]),
    ([{"type": "keepalive"}, {"type": "response.gateway_metrics"}], []),
    ([ended(None)], [EndDelta()]),
]


@pytest.mark.parametrize(("events", "deltas"), ODD)
def test_what_servers_do_differently_is_read_for_what_it_means(
    events: list[Object], deltas: list[Delta]
) -> None:
    assert read(*events) == deltas


ENDINGS: list[tuple[Object, Delta]] = [
    (ended(), FinishDelta("stop", "completed")),
    (ended("cancelled"), FinishDelta("other", "cancelled")),
    (
        ended("incomplete", incomplete_details={"reason": "max_output_tokens"}),
        FinishDelta("length", "max_output_tokens"),
    ),
    (
        ended("incomplete", incomplete_details={"reason": "content_filter"}),
        FinishDelta("content_filter", "content_filter"),
    ),
    (ended("incomplete"), FinishDelta("length", "incomplete")),
]


@pytest.mark.parametrize(("event", "finish"), ENDINGS)
def test_how_a_response_ended_has_its_meaning_and_keeps_its_word(
    event: Object, finish: Delta
) -> None:
    assert read(event) == [finish, EndDelta()]
    answer = httpx.Response(200, json={"output": [], **event["response"]})
    assert collect(answer, speaks=OpenAIResponses) == [finish, EndDelta()]


def test_a_whole_reply_comes_as_the_same_kinds_of_deltas() -> None:
    output = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        message(HI, {"type": "refusal", "refusal": ", no."}),
        {"type": "message", "content": " Text."},
        call(0, "a", "read_file", '{"path":"x"}')["item"],
        {"type": "function_call", "call_id": 7, "name": "now", "arguments": {}},
    ]
    usage = {"input_tokens": 5, "output_tokens": 2}
    response = {"status": "completed", "error": None, "output": output, "usage": usage}
    assert collect(httpx.Response(200, json=response), speaks=OpenAIResponses) == [
        TextDelta("Hi, no."),
        TextDelta(" Text."),
        CallDelta(0, "a", "read_file", '{"path":"x"}'),
        CallDelta(1, "7", "now", "{}"),
        FinishDelta("tool_calls", "completed"),
        UsageDelta(5, 2, 0),
        EndDelta(),
    ]


# --- what goes wrong ---------------------------------------------------------------------------


def failed(code: str | None, **fields: Any) -> Object:
    error = {"code": code, "message": "m"}
    return {"type": "response.failed", "response": {"status": "failed", "error": error, **fields}}


IN_STREAM: list[tuple[Object, str, str]] = [
    (failed("server_error"), "unavailable", " (server_error)"),
    (failed("rate_limit_exceeded"), "rate_limited", " (rate_limit_exceeded)"),
    (failed("context_length_exceeded"), "overflow", " (context_length_exceeded)"),
    (failed("invalid_prompt"), "rejected", " (invalid_prompt)"),
    (failed(None), "unavailable", ""),
    ({"type": "error", "code": "server_error", "message": "m"}, "unavailable", " (server_error)"),
    ({"type": "error", "code": None, "message": "m"}, "unavailable", ""),
    ({"type": "error", "error": {"code": "x", "message": "m"}}, "unavailable", " (x)"),
]


@pytest.mark.parametrize(("event", "kind", "code"), IN_STREAM)
def test_an_error_in_the_stream_has_its_kind(event: Object, kind: str, code: str) -> None:
    found = failure(streamed(named(told("Hi"), event)), speaks=OpenAIResponses)
    assert (found.kind, str(found)) == (kind, f"the provider broke off with an error{code}: m")


def test_the_tokens_of_a_response_that_failed_are_counted() -> None:
    usage = {"input_tokens": 9, "output_tokens": 1}
    found = failure(streamed(named(failed("server_error", usage=usage))), speaks=OpenAIResponses)
    assert found.usage == UsageDelta(9, 1)


@pytest.mark.parametrize(
    ("response", "kind", "said"),
    [
        (failed("server_error")["response"], "unavailable", "(server_error): m"),
        ({"status": "failed"}, "unavailable", "no reason was given"),
        ({"status": "completed"}, "broken", "the provider's response holds no output"),
    ],
)
def test_a_body_that_is_no_reply_is_a_failure(response: Object, kind: str, said: str) -> None:
    found = failure(httpx.Response(200, json=response), speaks=OpenAIResponses)
    assert found.kind == kind
    assert said in str(found)


@pytest.mark.parametrize("data", ["[1]", "{", '"text"'])
def test_an_event_that_is_no_object_breaks_the_reply(data: str) -> None:
    raw = f"event: response.created\ndata: {data}\n\n".encode()
    found = failure(streamed(raw), speaks=OpenAIResponses)
    assert found.kind == "broken"
    assert "a streamed event cannot be read: " in str(found)


def test_halves_of_a_character_in_two_events_come_through() -> None:
    halves = (told("\ud83d"), told("\ude00"))
    assert read(*halves) == [TextDelta("\ud83d"), TextDelta("\ude00")]
