"""Gemini's generateContent, from both ends of the wire (SPEC L1, P3)."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from faultloop.loop.message import ResultMessage
from faultloop.loop.providers.gemini import Gemini
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

from .said import ASKED, BARE, CONVERSATION, SAFE_ID
from .wire import FACE, collect, events, failure, request, sent, streamed

Object = dict[str, Any]

UNSIGNED = "skip_thought_signature_validator"

# --- what is sent ------------------------------------------------------------------------------


def body(asked: ModelRequest) -> Object:
    found = json.loads(sent(asked, Gemini).content)
    assert isinstance(found, dict)
    return found


def result(id_: str, name: str, **response: str) -> Object:
    return {"functionResponse": {"id": id_, "name": name, "response": response}}


def called(id_: str, name: str, args: Object) -> Object:
    return {"functionCall": {"id": id_, "name": name, "args": args}}


CONTENTS = [
    {"role": "user", "parts": [{"text": "hello"}]},
    {
        "role": "model",
        "parts": [
            {"text": "Both."},
            {**called("a", "read_file", {"path": "x"}), "thoughtSignature": UNSIGNED},
            called(SAFE_ID, "functions_read_file", {}),
        ],
    },
    {
        "role": "user",
        "parts": [
            result("a", "read_file", output="text of x"),
            result(SAFE_ID, "functions_read_file", error="not valid JSON"),
        ],
    },
    {
        "role": "user",
        "parts": [
            {"text": "<runtime-notice>\nThe user stopped you here.\n</runtime-notice>"},
            {"text": "go on"},
        ],
    },
    {"role": "model", "parts": [{**called("b", "now", {}), "thoughtSignature": UNSIGNED}]},
    {"role": "user", "parts": [result("b", "now", error="")]},
]


def test_a_conversation_is_spelt_with_results_in_a_content_of_their_own() -> None:
    found = body(ASKED)
    ((declared,),) = (tools["functionDeclarations"] for tools in found.pop("tools"))
    assert declared.keys() == {"name", "description", "parametersJsonSchema"}
    assert found == {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": CONTENTS,
        "generationConfig": {"maxOutputTokens": 77, "temperature": 0.5, "seed": 7},
    }


@pytest.mark.parametrize("model", ["gemini-2.5-pro", "models/gemini-1.5-flash"])
def test_models_that_sign_nothing_are_told_no_signatures(model: str) -> None:
    assert UNSIGNED not in json.dumps(body(request(model=model, messages=CONVERSATION)))


def test_a_result_says_the_name_of_its_own_call() -> None:
    said = (*CONVERSATION[1:2], CONVERSATION[-2], CONVERSATION[2])
    assert body(request(messages=said))["contents"][-1]["parts"] == CONTENTS[2]["parts"][:1]


def test_a_result_whose_call_is_not_there_has_a_name_all_the_same() -> None:
    alone = (ResultMessage(call_id="c", content="x", ok=True),)
    assert body(request(messages=alone))["contents"][0]["parts"] == [result("c", "_", output="x")]


def test_a_bare_request_has_no_empty_fields() -> None:
    assert body(BARE).keys() == {"contents"}


ADDRESSES = [
    ("fake-model", True, "/v1beta/models/fake-model:streamGenerateContent?alt=sse"),
    ("fake-model", False, "/v1beta/models/fake-model:generateContent"),
    ("models/m", False, "/v1beta/models/m:generateContent"),
    ("tunedModels/m?", False, "/v1beta/tunedModels/m%3F:generateContent"),
]


@pytest.mark.parametrize(("model", "stream", "path"), ADDRESSES)
def test_model_and_form_are_in_the_address_and_the_key_is_not(
    model: str, stream: bool, path: str
) -> None:
    asked = sent(request(model=model, stream=stream), Gemini)
    assert str(asked.url) == f"http://provider{path}"
    assert asked.headers["x-goog-api-key"] == "key"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"strict": "required"}, "read_file requires strict decoding"),
        ({"name": "7zip", "strict": None}, "Gemini takes no tool that is called 7zip"),
    ],
)
def test_what_gemini_cannot_have_is_refused_before_anything_is_sent(
    changes: Object, said: str
) -> None:
    with pytest.raises(ProviderFailure, match=said) as caught:
        collect(streamed(b""), request(tools=({**FACE, **changes},)), speaks=Gemini)
    assert caught.value.kind == "rejected"


# --- what comes back ---------------------------------------------------------------------------


def chunk(*parts: Object | None, finish: str | None = None, **more: Any) -> Object:
    candidate = {"content": {"parts": list(parts)}, "index": 0, "finishReason": finish}
    return {"candidates": [candidate], **more}


def counts(**given: Any) -> Object:
    return {"usageMetadata": given}


def read(*chunks: Object) -> list[Delta]:
    return collect(streamed(events(*chunks, end="")), speaks=Gemini)


USED = counts(
    promptTokenCount=20, cachedContentTokenCount=8, candidatesTokenCount=3, thoughtsTokenCount=2
)

REPLY: list[Delta] = [
    TextDelta("Hi"),
    CallDelta(0, "a", "read_file", '{"path":"ü"}'),
    CallDelta(1, None, "now", "{}"),
    FinishDelta("tool_calls", "STOP"),
    UsageDelta(20, 5, 8),
    EndDelta(),
]
PARTS: tuple[Object, ...] = (
    {"text": "hm", "thought": True},
    {"text": "Hi"},
    {"functionCall": {"id": "a", "name": "read_file", "args": {"path": "ü"}},
     "thoughtSignature": "s"},
    {"functionCall": {"name": "now"}},
    {"text": "", "thoughtSignature": "s"},
)  # fmt: skip


def test_calls_are_numbered_as_they_come_and_thoughts_are_not_said() -> None:
    first, *rest = (chunk(part) for part in PARTS)
    assert read(first, *rest, chunk(finish="STOP", **USED)) == REPLY


def test_a_whole_reply_comes_as_the_same_kinds_of_deltas() -> None:
    answer = httpx.Response(200, json=chunk(*PARTS, finish="STOP", **USED))
    assert collect(answer, speaks=Gemini) == REPLY


def test_a_whole_reply_needs_no_finish_reason() -> None:
    answer = httpx.Response(200, json=chunk({"text": "Hi"}))
    assert collect(answer, speaks=Gemini) == [TextDelta("Hi"), EndDelta()]


ODD: list[tuple[Object, list[Delta]]] = [
    ({}, []),
    ({"candidates": [{"content": None, "index": 0}]}, []),
    ({"candidates": [{**chunk({"text": "No"})["candidates"][0], "index": 1}]}, []),
    (chunk(None, {"inlineData": {}}), []),
    (chunk({"functionCall": {"id": "a", "args": {}}}), [CallDelta(0, "a", None, "{}")]),
    (counts(promptTokenCount=7), [UsageDelta(7, 0)]),
    (counts(thoughtsTokenCount=7), [UsageDelta(0, 7)]),
    (counts(serviceTier="standard"), []),
    (
        {"promptFeedback": {"blockReason": "SAFETY"}},
        [FinishDelta("content_filter", "SAFETY"), EndDelta()],
    ),
]


@pytest.mark.parametrize(("data", "deltas"), ODD)
def test_what_servers_do_differently_is_read_for_what_it_means(
    data: Object, deltas: list[Delta]
) -> None:
    assert read(data) == deltas


REASONS = [
    ("STOP", "stop"),
    ("MAX_TOKENS", "length"),
    ("SAFETY", "content_filter"),
    ("PROHIBITED_CONTENT", "content_filter"),
    ("TOO_MANY_TOOL_CALLS", "other"),
]


@pytest.mark.parametrize(("raw", "reason"), REASONS)
def test_every_finish_reason_has_its_meaning_and_keeps_its_word(raw: str, reason: Any) -> None:
    assert read(chunk(finish=raw)) == [FinishDelta(reason, raw), EndDelta()]


def test_counts_may_come_behind_the_finish_and_nothing_else() -> None:
    late = (chunk({"text": "late"}, **counts(promptTokenCount=9)), "{not json}")
    end = [FinishDelta("stop", "STOP"), UsageDelta(9, 0), EndDelta()]
    assert read(chunk(finish="STOP"), *late) == end
    pieces = (events(chunk(finish="STOP"), end=""), events(late[0], end=""))
    for trouble in (httpx.ReadError("reset"), asyncio.Event()):
        assert collect(streamed(*pieces, trouble), speaks=Gemini) == end


def test_an_event_of_a_gateway_changes_nothing() -> None:
    ping = b"event: ping\ndata: {not json}\n\n"
    body = events(chunk(finish="STOP"), end="")
    assert collect(streamed(ping, body), speaks=Gemini) == [
        FinishDelta("stop", "STOP"),
        EndDelta(),
    ]


def test_a_stream_without_a_finish_has_no_end() -> None:
    assert read(chunk({"text": "Hi"})) == [TextDelta("Hi")]


# --- what goes wrong ---------------------------------------------------------------------------


def test_a_call_that_the_api_could_not_read_is_asked_for_again() -> None:
    (unexpected,) = chunk({"text": "path})"}, finish="UNEXPECTED_TOOL_CALL")["candidates"]
    (candidate,) = chunk(finish="MALFORMED_FUNCTION_CALL")["candidates"]
    told = {**candidate, "finishMessage": "Malformed function call: f({"}
    for data, why in (
        (told, told["finishMessage"]),
        (candidate, candidate["finishReason"]),
        (unexpected, unexpected["finishReason"]),
    ):
        found = failure(streamed(events({"candidates": [data]}, end="")), speaks=Gemini)
        assert found.kind == "broken"
        assert str(found) == f"the model wrote a call that cannot be read: {why}"


def error(code: int, status: str, message: str = "m", *details: Any) -> Object:
    fields = {"code": code, "message": message, "status": status}
    return {"error": {**fields, "details": list(details)} if details else fields}


IN_STREAM = [
    (error(503, "UNAVAILABLE"), "unavailable"),
    (error(429, "RESOURCE_EXHAUSTED"), "rate_limited"),
    (error(504, "DEADLINE_EXCEEDED"), "timeout"),
    (error(400, "INVALID_ARGUMENT"), "rejected"),
    (
        error(
            400,
            "INVALID_ARGUMENT",
            "The input token count (9) exceeds the maximum number of tokens allowed (8).",
        ),
        "overflow",
    ),
]


@pytest.mark.parametrize(("data", "kind"), IN_STREAM)
def test_an_error_has_its_kind_in_a_stream_and_in_a_body(data: Object, kind: str) -> None:
    in_stream = failure(streamed(events(data, end="")), speaks=Gemini)
    assert in_stream.kind == kind
    assert f"({data['error']['status']}): {data['error']['message']}" in str(in_stream)
    assert failure(httpx.Response(200, json=data), speaks=Gemini).kind == kind


WAITS: list[tuple[tuple[Any, ...], dict[str, str], float | None]] = [
    (({"@type": "RetryInfo", "retryDelay": "26s"},), {}, 26.0),
    (("odd", {"@type": "Help"}, {"retryDelay": "soon"}, {"retryDelay": "0.500s"}), {}, 0.5),
    (({"retryDelay": "26s"},), {"retry-after": "3"}, 3.0),
    (({"@type": "Help"},), {}, None),
    ((), {}, None),
]


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize(("details", "headers", "wait_s"), WAITS)
def test_the_wait_is_told_in_the_body(
    details: tuple[Any, ...], headers: dict[str, str], wait_s: float | None, listed: bool
) -> None:
    data = error(429, "RESOURCE_EXHAUSTED", "m", *details)
    answer = httpx.Response(429, json=[data] if listed else data, headers=headers)
    found = failure(answer, speaks=Gemini)
    assert (found.kind, found.retry_after_s) == ("rate_limited", wait_s)
    assert str(found) == "the provider answered 429 (RESOURCE_EXHAUSTED): m"


def test_a_body_without_a_candidate_is_no_reply() -> None:
    found = failure(httpx.Response(200, json={"usageMetadata": {}}), speaks=Gemini)
    assert (found.kind, str(found)) == ("broken", "the provider's response holds no candidate")
