"""Responses of any shape: what faults make of a stream, and what nobody foresaw."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.dialects.dialect import BadRequest, HttpRequest
from faultloop.fakes.faults import KINDS
from faultloop.fakes.reply import (
    CallArguments,
    CallBegan,
    EndMark,
    Finished,
    Noise,
    Opened,
    ProviderError,
    Reply,
    ReplyCall,
    Text,
    Unclosed,
    Usage,
    pieces,
)

from .openai_responses_replies import (
    APPLY_PATCH,
    CALLS,
    FRAME,
    FUNCTION,
    KEY,
    LEDGER,
    REPLY,
    RESPONSES,
    body,
    data,
    framed,
    reply,
)

CALL = ReplyCall(id="call_1", tool="read_file", arguments='{"a":1}')
BEGAN = CallBegan(0, "call_1", "read_file")
ENDED = [Finished("tool_calls"), Usage(1, 2), EndMark()]


def names(events: list[dict]) -> list[str]:
    return [event["type"].removeprefix("response.") for event in events]


def shaped(kind: str, said: Reply = REPLY) -> list[dict]:
    shape = KINDS[kind](at="step 1").shape(tuple(pieces(said)))
    return data(said, list(shape))


def calls_of(events: list[dict]) -> list[tuple[str, str]]:
    output = events[-1]["response"]["output"]
    return [(c["call_id"], c["arguments"]) for c in output if c["type"] == "function_call"]


def test_interleaved_calls_are_told_apart_by_their_items():
    events = shaped("interleaved_calls")

    pieces_of = [
        (e["item_id"], e["delta"]) for e in events if e["type"].endswith("arguments.delta")
    ]
    assert [item for item, _ in pieces_of] == ["fc_1", "fc_2", "fc_1"]
    assert calls_of(events) == [(call.id, call.arguments) for call in CALLS]


def test_gapped_indexes_are_gaps_between_items():
    events = shaped("gapped_indexes")

    added = [e["output_index"] for e in events if e["type"] == "response.output_item.added"]
    assert added == [0, 2, 4]
    assert calls_of(events) == [(call.id, call.arguments) for call in CALLS]


def test_a_name_that_comes_again_is_an_item_that_is_added_again():
    events = shaped("repeated_names")

    added = [e["item"] for e in events if e["type"] == "response.output_item.added"]
    assert [item["id"] for item in added] == ["msg_abc", "fc_1", "fc_1", "fc_2"]
    assert added[1] == added[2]
    assert calls_of(events) == [(call.id, call.arguments) for call in CALLS]


def test_empty_pieces_are_empty_deltas():
    events = shaped("empty_chunks")

    assert [event["delta"] for event in events if "delta" in event] == [
        "",
        "I look.",
        "",
        '{"path":"a.t',
        "",
        'xt"}',
        "",
        "{}",
    ]


def test_a_stream_that_is_cut_in_arguments_ends_within_the_item():
    cut = [BEGAN, CallArguments(0, '{"a')]

    assert names(data(reply("", CALL), cut)) == [
        "output_item.added",
        "function_call_arguments.delta",
    ]


def test_without_a_finish_the_last_event_has_no_status_and_open_items():
    events = data(reply("", CALL), [Opened(), BEGAN, EndMark()])

    whole = events[-1]["response"]
    assert (events[-1]["type"], whole["status"], whole["usage"]) == (
        "response.completed",
        None,
        None,
    )
    assert [item["status"] for item in whole["output"]] == ["in_progress"]


def test_what_is_open_at_the_finish_is_closed_as_it_is():
    events = data(reply("Well.", CALL), [Text("We"), BEGAN, CallArguments(0, "{"), *ENDED])

    output = events[-1]["response"]["output"]
    assert output[0]["content"][0]["text"] == "We"
    assert [item["status"] for item in output] == ["completed", "completed"]
    assert calls_of(events) == [("call_1", "{")]


def test_a_delta_that_comes_late_comes_after_its_item():
    late = [BEGAN, CallArguments(0, '{"a":1}'), CallArguments(0, "}"), *ENDED]
    said = [Text("Hm."), BEGAN, Text(" So."), CallArguments(0, '{"a":1}'), *ENDED]

    after = data(reply("", CALL), late)
    between = data(reply("Hm. So.", CALL), said)

    assert names(after)[3:5] == ["output_item.done", "function_call_arguments.delta"]
    assert calls_of(after) == [("call_1", '{"a":1}')]
    assert names(between)[5:8] == ["output_item.done", "output_item.added", "output_text.delta"]
    assert between[-1]["response"]["output"][0]["content"][0]["text"] == "Hm."


def test_a_call_that_begins_late_gets_its_name_late():
    late = [CallArguments(0, '{"a'), BEGAN, CallArguments(0, '":1}'), *ENDED]

    events = data(reply("", CALL), late)

    assert names(events)[:3] == [
        "function_call_arguments.delta",
        "output_item.added",
        "function_call_arguments.delta",
    ]
    assert len({event["item_id"] for event in events if "item_id" in event}) == 1
    assert calls_of(events) == [("call_1", '{"a":1}')]


def test_a_call_that_never_begins_has_no_name():
    events = data(reply("", CALL), [CallArguments(0, "{}"), *ENDED])

    assert events[-1]["response"]["output"] == [
        {
            "id": "fc_abc0",
            "type": "function_call",
            "status": "completed",
            "arguments": "{}",
            "call_id": "",
            "name": "",
        }
    ]


def test_two_calls_at_one_index_are_two_items_in_one_place():
    two = [BEGAN, CallBegan(0, "call_2", "list_files"), CallArguments(0, "{}"), *ENDED]

    events = data(reply("", *CALLS), two)

    assert [event["output_index"] for event in events[:2]] == [0, 0]
    assert calls_of(events) == [("call_1", ""), ("call_2", "{}")]


def test_two_calls_with_one_id_are_two_items():
    twins = (CALL, ReplyCall(id="call_1", tool="list_files", arguments="{}"))
    said = reply("", *twins)

    assert calls_of(data(said)) == [("call_1", '{"a":1}'), ("call_1", "{}")]


def test_text_that_comes_after_the_calls_is_where_it_was_meant_to_be():
    events = data(reply("Hm.", CALL), [BEGAN, CallArguments(0, '{"a":1}'), Text("Hm."), *ENDED])

    assert [item["type"] for item in events[-1]["response"]["output"]] == [
        "message",
        "function_call",
    ]


def test_what_comes_after_the_end_is_spelt_as_well():
    assert names(data(REPLY, [EndMark(), Usage(1, 2), Text("x")]))[-1] == "output_text.delta"


# --- what nobody foresaw ----------------------------------------------------------------------

INDEXES = st.integers(0, 3)
IDS = st.sampled_from(["call_1", "call_2", "", "x"])
TOOLS = st.sampled_from(["read_file", "apply_patch", "ledger_add", "ghost", ""])
FINISHES = st.sampled_from(["stop", "tool_calls", "length", "content_filter"])
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)

DELTAS = st.one_of(
    st.just(Opened()),
    st.builds(Text, TEXTS),
    st.builds(CallBegan, INDEXES, IDS | st.none(), TOOLS | st.none()),
    st.builds(CallArguments, INDEXES, TEXTS),
    st.builds(Finished, FINISHES),
    st.builds(Usage, st.integers(0, 9), st.integers(0, 9)),
    st.just(EndMark()),
    st.just(Unclosed()),
    st.builds(ProviderError, TEXTS),
    st.builds(Noise, st.sampled_from(["unknown_event", "null_delta", "no_choices"])),
)

REPLIES = st.builds(
    Reply,
    id=st.just("abc"),
    turn=st.just(0),
    step=st.just(1),
    text=TEXTS,
    calls=st.lists(st.builds(ReplyCall, id=IDS, tool=TOOLS, arguments=TEXTS), max_size=3).map(
        tuple
    ),
    finish=FINISHES,
    prompt_tokens=st.integers(0, 9),
    completion_tokens=st.integers(0, 9),
)

FRAMES = st.sampled_from([FRAME, framed(tools=[FUNCTION, APPLY_PATCH, LEDGER], store=False)])


@given(REPLIES, st.lists(DELTAS, max_size=20), FRAMES)
def test_any_sequence_of_deltas_is_spelt_as_numbered_events(said, deltas, frame):
    events = data(said, deltas, frame)

    assert [event["sequence_number"] for event in events] == list(range(len(events)))


@given(REPLIES, FRAMES)
def test_a_stream_ends_in_the_response_that_is_sent_whole(said, frame):
    events = data(said, frame=frame)

    assert events[-1]["response"] == json.loads(RESPONSES.whole(said, frame))


@given(REPLIES, FRAMES)
def test_every_item_is_added_once_and_done_once_as_it_is_in_the_end(said, frame):
    events = data(said, frame=frame)

    output = events[-1]["response"]["output"]
    added = [e for e in events if e["type"] == "response.output_item.added"]
    done = [e for e in events if e["type"] == "response.output_item.done"]
    assert [event["output_index"] for event in added] == list(range(len(output)))
    assert sorted(done, key=lambda event: event["output_index"]) == done
    assert [event["item"] for event in done] == output


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)

GOOD_ITEMS = [
    {"role": "user", "content": "Go."},
    {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "x"}]},
    {"role": "assistant", "content": [{"type": "output_text", "text": "x"}], "id": "msg_1"},
    {"type": "function_call", "call_id": "c", "name": "read_file", "arguments": "{}"},
    {"type": "function_call", "call_id": "c", "name": "ledger_add", "arguments": "", "id": "fc_1"},
    {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_image"}]},
    {"type": "custom_tool_call", "call_id": "d", "name": "apply_patch", "input": "x"},
    {"type": "custom_tool_call_output", "call_id": "d", "output": "ok"},
    {"type": "item_reference", "id": "fc_2"},
    {"type": "additional_tools", "role": "developer", "tools": [LEDGER]},
    {"type": "reasoning", "id": "rs_1", "summary": []},
]

GOOD_FIELDS = {
    "tools": [FUNCTION, APPLY_PATCH, {"type": "web_search"}],
    "tool_choice": {"type": "allowed_tools", "tools": [{"type": "web_search"}]},
    "instructions": "Be kind.",
    "previous_response_id": "resp_1",
    "store": False,
    "text": {"format": {"type": "json_schema", "name": "n"}, "verbosity": "low"},
    "reasoning": {"effort": "low", "summary": "auto"},
    "metadata": {"a": "b"},
    "include": ["reasoning.encrypted_content"],
    "stream": True,
    "stream_options": {"include_obfuscation": False},
    "max_output_tokens": 16,
    "temperature": 0.5,
    "service_tier": "flex",
    "conversation": None,
    "prompt": None,
}


def places_in(value: Any) -> list[tuple[Any, Any]]:
    """Every (holder, key) within a value."""
    keys = value if isinstance(value, dict) else range(len(value)) if type(value) is list else ()
    found = [(value, key) for key in keys]
    return found + [place for key in keys for place in places_in(value[key])]


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    """A good request of which up to two values have become something else, or are gone."""
    items = draw(st.lists(st.sampled_from(GOOD_ITEMS), max_size=5))
    names_ = draw(st.sets(st.sampled_from(sorted(GOOD_FIELDS))))
    request = {"model": "m", "input": items} | {name: GOOD_FIELDS[name] for name in sorted(names_)}
    request = json.loads(json.dumps(request))
    for _ in range(draw(st.integers(0, 2))):
        holder, key = draw(st.sampled_from(places_in(request) or [(request, "x")]))
        if isinstance(holder, dict) and draw(st.booleans()):
            holder.pop(key, None)
        else:
            holder[key] = draw(JSON)
    return request


REQUESTS = requests()


def arrives(sent: bytes, route: int = 0) -> HttpRequest:
    at = RESPONSES.routes[route]
    return HttpRequest(at, at.path, {}, KEY, sent, {})


def read_or_rejected(sent: bytes) -> Conversation | None:
    """What is read; None where it is rejected, with an error that can be sent."""
    try:
        return RESPONSES.parse(arrives(sent))
    except BadRequest as bad:
        rejected = bad
    error = RESPONSES.error(status=rejected.status, code=rejected.code, message=rejected.message)
    assert json.loads(error)["error"]["message"] == rejected.message
    assert rejected.status in (400, 401, 404)
    return None


@given(REQUESTS)
def test_a_request_is_read_or_rejected_and_what_is_read_can_be_answered(request):
    conversation = read_or_rejected(json.dumps(request).encode())
    if conversation is None:
        return

    assert conversation.messages or conversation.continues is not None
    assert len(conversation.wire) in (0, len(conversation.messages))
    frame = FRAME._replace(echo=conversation.echo)
    assert json.loads(RESPONSES.whole(REPLY, frame)) == data(REPLY, frame=frame)[-1]["response"]


@given(JSON | st.binary(max_size=40) | REQUESTS)
def test_any_body_is_read_or_rejected(value):
    sent = value if isinstance(value, bytes) else json.dumps(value).encode()

    read_or_rejected(sent)
    with contextlib.suppress(BadRequest):
        assert b"response.input_tokens" in RESPONSES.aside(arrives(sent, 1))


@pytest.mark.parametrize("sent", [b"\xff", b'"\xff"', b"[" * 100_000, b"7", b'{"a": "\\ud83d"}'])
def test_a_count_is_asked_for_with_an_object(sent):
    with pytest.raises(BadRequest, match="could not parse the JSON body"):
        RESPONSES.aside(arrives(sent, 1))


def test_a_count_needs_a_key_as_well():
    with pytest.raises(BadRequest) as caught:
        RESPONSES.aside(arrives(body("x"), 1)._replace(headers={}))

    assert caught.value.status == 401
