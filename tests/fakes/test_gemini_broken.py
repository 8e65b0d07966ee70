"""What Gemini cannot say, what a broken stream of its looks like, and that nothing trips over."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from faultloop.fakes.dialects.dialect import BadRequest
from faultloop.fakes.dialects.gemini import Gemini
from faultloop.fakes.dialects.gemini_fields import SCHEMA
from faultloop.fakes.reply import (
    CallArguments,
    CallBegan,
    Delta,
    EndMark,
    Finished,
    Noise,
    Opened,
    Reply,
    ReplyCall,
    Text,
    Unclosed,
    Usage,
    pieces,
)

from .gemini_replies import (
    CALLS,
    COUNT,
    FRAME,
    GEMINI,
    REPLY,
    STREAM,
    array,
    asked,
    assembled,
    events,
    request,
    streamed,
    talk,
)

RUBBISH = ['"{\\"path\\":\\"a.txt\\"}"', '{"a":1}{"b":2}', "[1]", "None", '{"path":', "{'a': 1}"]


def whole(reply: Reply) -> dict[str, Any]:
    return assembled([json.loads(GEMINI.whole(reply, FRAME))])


def with_arguments(*texts: str, **more: Any) -> Reply:
    calls = [
        ReplyCall(id=f"call_{number}", tool="read_file", arguments=text)
        for number, text in enumerate(texts)
    ]
    return replace(REPLY, calls=tuple(calls), **more)


def sent(reply: Reply, deltas: Sequence[Delta]) -> list[dict[str, Any]]:
    spelling = GEMINI.stream(reply, FRAME)
    return events(b"".join(spelling.event(delta) for delta in deltas))


@pytest.mark.parametrize("rubbish", RUBBISH)
def test_arguments_that_are_no_object_are_a_malformed_call(rubbish):
    reply = with_arguments('{"path":"a"}', rubbish)

    seen = whole(reply)

    assert [part["functionCall"]["id"] for part in seen["calls"]] == ["call_0"]
    assert seen["finish"] == "MALFORMED_FUNCTION_CALL"
    assert seen["message"] == f"Malformed function call: read_file({rubbish})"
    assert assembled(events(streamed(reply))) == seen


def test_a_malformed_call_alone_leaves_an_empty_content():
    reply = with_arguments("[]", text="")

    assert json.loads(GEMINI.whole(reply, FRAME))["candidates"] == [
        {
            "content": {},
            "finishReason": "MALFORMED_FUNCTION_CALL",
            "index": 0,
            "finishMessage": "Malformed function call: read_file([])",
        }
    ]


def test_a_call_that_was_cut_at_the_limit_is_dropped():
    reply = with_arguments("{}", '{"path":', finish="length")

    seen = whole(reply)

    assert [part["functionCall"]["id"] for part in seen["calls"]] == ["call_0"]
    assert (seen["finish"], seen["message"]) == ("MAX_TOKENS", None)
    assert assembled(events(streamed(reply))) == seen


def test_a_whole_call_is_said_also_where_the_reply_was_cut():
    seen = assembled(events(streamed(replace(REPLY, finish="length"))))

    assert len(seen["calls"]) == 2
    assert seen["finish"] == "MAX_TOKENS"


@pytest.mark.parametrize("nothing", ["", "  ", "{}"])
def test_no_arguments_are_an_empty_object(nothing):
    reply = with_arguments(nothing)

    assert [part["functionCall"]["args"] for part in whole(reply)["calls"]] == [{}]
    assert assembled(events(streamed(reply))) == whole(reply)


def test_a_call_is_said_as_soon_as_it_is_all_there():
    spelling = GEMINI.stream(REPLY, FRAME)
    told = [bool(spelling.event(delta)) for delta in pieces(replace(REPLY, text=""))]

    # Opened; call 1 with two pieces; call 2 with one; finish; counts; end.
    assert told == [False, False, False, True, False, True, True, False, False]


ONE, TWO = CALLS
INTERLEAVED = [
    Opened(),
    CallBegan(0, ONE.id, ONE.tool),
    CallBegan(3, TWO.id, TWO.tool),
    CallArguments(0, ONE.arguments[:5]),
    CallArguments(3, TWO.arguments),
    CallBegan(0, ONE.id, ONE.tool),
    CallArguments(0, ONE.arguments[5:]),
    Finished("tool_calls"),
]


def test_interleaved_calls_gapped_indexes_and_repeated_names_change_nothing():
    seen = assembled(sent(REPLY, INTERLEAVED))

    calls = [part["functionCall"] for part in seen["calls"]]
    assert [(call["id"], call["args"]) for call in calls] == [
        ("call_1", {"path": "a.txt"}),
        ("call_2", {}),
    ]
    assert "thoughtSignature" in seen["calls"][0]
    assert seen["finish"] == "STOP"


def test_a_call_does_not_wait_for_ever_for_the_one_before_it():
    deltas = [one for one in INTERLEAVED if one != CallArguments(0, ONE.arguments[5:])]

    seen = assembled(sent(REPLY, deltas))

    assert [part["functionCall"]["id"] for part in seen["calls"]] == ["call_2"]
    assert seen["finish"] == "MALFORMED_FUNCTION_CALL"


def test_two_calls_on_one_index_are_two_calls():
    deltas = [
        CallBegan(0, ONE.id, ONE.tool),
        CallArguments(0, ONE.arguments),
        CallBegan(0, TWO.id, TWO.tool),
        CallArguments(0, TWO.arguments),
        Finished("tool_calls"),
    ]

    calls = assembled(sent(REPLY, deltas))["calls"]

    assert [call["functionCall"]["id"] for call in calls] == ["call_1", "call_2"]


def test_a_call_that_misses_its_end_is_never_seen():
    deltas = [CallBegan(0, ONE.id, ONE.tool), CallArguments(0, '{"path"')]

    assert sent(REPLY, deltas) == []
    ended = assembled(sent(REPLY, [*deltas, Finished("tool_calls")]))
    assert (ended["calls"], ended["finish"]) == ([], "MALFORMED_FUNCTION_CALL")


def test_a_call_without_a_beginning_has_no_name_and_is_malformed():
    ended = assembled(sent(REPLY, [CallArguments(0, "{}"), Finished("tool_calls")]))

    assert (ended["calls"], ended["message"]) == ([], "Malformed function call: ({})")


def test_a_call_of_another_id_waits_for_the_finish():
    deltas = [CallBegan(0, "strange", "read_file"), CallArguments(0, '{"a":1}')]

    assert sent(REPLY, deltas) == []
    ended = assembled(sent(REPLY, [*deltas, Finished("tool_calls")]))
    assert ended["calls"][0]["functionCall"] == {
        "name": "read_file",
        "args": {"a": 1},
        "id": "strange",
    }


# --- nothing trips over ---------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=()), max_size=12)
"""Also what UTF-8 cannot carry."""
INDEXES = st.integers(0, 2)
FINISHES = st.sampled_from(["stop", "tool_calls", "length", "content_filter"])
IDS = st.sampled_from(["call_1", "call_2", "", "strange"]) | TEXTS
DELTAS = st.one_of(
    st.builds(Opened),
    st.builds(Text, TEXTS),
    st.builds(CallBegan, INDEXES, IDS | st.none(), TEXTS | st.none()),
    st.builds(CallArguments, INDEXES, st.sampled_from(["{}", '{"a":', "1}", ""]) | TEXTS),
    st.builds(Finished, FINISHES),
    st.builds(Usage, st.integers(0, 9), st.integers(0, 9)),
    st.builds(EndMark),
    st.builds(Unclosed),
    st.builds(Noise, st.sampled_from(["unknown_event", "null_delta", "no_choices"])),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
REPLIES = st.builds(
    Reply,
    id=TEXTS,
    turn=st.just(0),
    step=st.just(1),
    text=TEXTS,
    calls=st.lists(
        st.builds(
            ReplyCall,
            id=IDS,
            tool=TEXTS,
            arguments=st.sampled_from(RUBBISH) | JSON.map(json.dumps) | TEXTS,
        ),
        max_size=3,
    ).map(tuple),
    finish=FINISHES,
    prompt_tokens=st.integers(0, 10**6),
    completion_tokens=st.integers(0, 10**6),
)


@given(REPLIES, st.lists(DELTAS, max_size=12))
def test_any_sequence_of_deltas_is_spelt_as_responses(reply, deltas):
    for response in sent(reply, deltas):
        assert response["usageMetadata"]["serviceTier"] == "standard"
    spelling = Gemini(array=True).stream(reply, FRAME)
    elements = [delta for delta in deltas if not isinstance(delta, EndMark)]
    body = b"".join(spelling.event(delta) for delta in [*elements, EndMark()])
    assert len(json.loads(body)) == len(sent(reply, elements))


@given(REPLIES)
def test_any_reply_is_the_same_whole_and_streamed(reply):
    seen = assembled(events(streamed(reply)))
    expected = whole(reply)
    # Ids that are equal are one call to a stream that waits for a call's end by its id.
    if len({call.id for call in reply.calls}) == len(reply.calls):
        assert seen["calls"] == expected["calls"]
        assert (seen["finish"], seen["message"]) == (expected["finish"], expected["message"])
    assert (seen["text"], seen["usage"]) == (expected["text"], expected["usage"])
    assert json.loads(streamed(reply, array())) == events(streamed(reply))


def named(kind: str, depth: int = 4) -> st.SearchStrategy[Any]:
    """Values that are nearly messages of a kind: fields it has, with anything in them."""
    fields = SCHEMA.messages.get(kind)
    if fields is None or not depth:
        return JSON
    values = {
        name: st.deferred(lambda field=field: nearly(field.kind, field.shape, depth - 1))
        for name, field in fields.items()
    }
    pair = st.sampled_from(sorted(values)).flatmap(
        lambda name: st.tuples(st.just(name), values[name])
    )
    return st.lists(pair, max_size=4).map(dict)


def nearly(kind: str, shape: str, depth: int) -> st.SearchStrategy[Any]:
    one = named(kind, depth)
    if shape == "list":
        return st.lists(one, max_size=3) | one | JSON
    if shape == "map":
        return st.dictionaries(TEXTS, one, max_size=3) | JSON
    return one | JSON


def judged(body: bytes) -> None:
    for read, path in ((GEMINI.parse, STREAM), (GEMINI.aside, COUNT)):
        refusal = None
        try:
            read(request(body, path))
        except BadRequest as bad:
            refusal = bad
        if refusal is not None:
            spelt = GEMINI.error(status=400, code=refusal.code, message=refusal.message)
            assert json.loads(spelt)["error"]["message"]


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode()))
def test_any_bytes_are_read_or_rejected(body):
    judged(body)


@given(named("GenerateContentRequest"), st.booleans())
def test_anything_that_is_nearly_a_request_is_read_or_rejected(value, is_said):
    judged(json.dumps({"contents": [talk()], **value} if is_said else value).encode())


@given(st.integers(0, 400), st.binary(min_size=1, max_size=2))
def test_a_request_with_bytes_changed_is_read_or_rejected(at, change):
    body = asked(
        talk(),
        {"role": "model", "parts": [{"functionCall": {"name": "a", "id": "1", "args": {}}}]},
        {"parts": [{"functionResponse": {"name": "a", "response": {"output": "x"}}}]},
        tools=[{"functionDeclarations": [{"name": "a", "parameters": {"type": "object"}}]}],
        generationConfig={"maxOutputTokens": 5},
    )
    at %= len(body)
    judged(body[:at] + change + body[at + len(change) :])
