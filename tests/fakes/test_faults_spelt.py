"""Faults of the stream in every dialect: each is spelt, alone and on top of any other."""

import json
from itertools import permutations

import pytest

from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.faults import KINDS
from faultloop.fakes.reply import (
    CallBegan,
    Eof,
    Item,
    Noise,
    ProviderError,
    Reply,
    Reset,
    Stall,
    Text,
    pieces,
)

from .fault_tables import MODEL, REPLY, STREAM, STREAMED, fault

FRAME = Frame(created_s=1, model="m")
SHAPES = [
    fault(kind, **fields).shape for kind, fields, _ in STREAMED if kind not in ("stall", "reset")
]
each_dialect = pytest.mark.parametrize("name", DIALECTS)


def spelt(name: str, items: tuple[Item, ...], reply: Reply = REPLY) -> list[str]:
    """The bytes of each item, up to where the stream ends."""
    spelling = DIALECTS[name].stream(reply, FRAME)
    sent = []
    for item in items:
        if isinstance(item, Eof | Reset):
            break
        if not isinstance(item, Stall):
            sent.append(spelling.event(item).decode())
    return sent


def data(name: str, items: tuple[Item, ...], reply: Reply = REPLY) -> list[dict]:
    """The JSON of each event; what is no JSON is left out."""
    lines = "".join(spelt(name, items, reply)).splitlines()
    return [read for line in lines if (read := event(line)) is not None]


def event(line: str) -> dict | None:
    try:
        return json.loads(line.removeprefix("data: ")) if line.startswith("data: {") else None
    except ValueError:
        return None


@each_dialect
@pytest.mark.parametrize(("kind", "fields", "items"), STREAMED)
def test_every_fault_of_the_stream_is_spelt_as_whole_events(name, kind, fields, items):
    text = "".join(spelt(name, items)).replace("\r", "")

    assert text.endswith("\n\n")
    assert data(name, items)


@each_dialect
def test_any_two_faults_of_the_stream_are_spelt_together(name):
    for one, other in permutations(SHAPES, 2):
        assert spelt(name, other(one(STREAM)))


@each_dialect
@pytest.mark.parametrize(("kind", "fields", "said"), MODEL)
def test_every_fault_of_the_model_is_spelt_whole_and_streamed(name, kind, fields, said):
    assert json.loads(DIALECTS[name].whole(said, FRAME))
    assert data(name, tuple(pieces(said)), said)


# --- each in its own words --------------------------------------------------------------------

UNNAMED = (CallBegan(0, None, None),)


def test_chat_leaves_out_what_is_not_said():
    (chunk,) = data("openai_chat", UNNAMED)
    assert chunk["choices"][0]["delta"] == {
        "tool_calls": [{"index": 0, "type": "function", "function": {"arguments": ""}}]
    }


def test_messages_leaves_out_what_is_not_said():
    begun, _ = data("anthropic_messages", UNNAMED)
    assert begun["content_block"] == {
        "type": "tool_use",
        "input": {},
        "caller": {"type": "direct"},
    }


def test_responses_leaves_out_what_is_not_said():
    (added,) = data("openai_responses", UNNAMED)
    assert added["item"] == {
        "id": "fc_r0",
        "type": "function_call",
        "status": "in_progress",
        "arguments": "",
    }


def test_gemini_leaves_out_what_is_not_said():
    stream = fault("missing_id").shape(STREAM)
    calls = [
        part["functionCall"]
        for chunk in data("gemini", stream)
        for part in chunk["candidates"][0]["content"].get("parts", ())
        if "functionCall" in part
    ]
    assert [list(call) for call in calls] == [["name", "args"]] * 2


@pytest.mark.parametrize("kind", ["late_id", "late_name"])
def test_what_comes_late_is_known_at_the_end(kind):
    items = fault(kind).shape(STREAM)
    output = data("openai_responses", items)[-1]["response"]["output"]
    assert [(call["call_id"], call["name"]) for call in output if "call_id" in call] == [
        ("call_1", "read_file"),
        ("call_2", "append_file"),
    ]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        (
            "openai_chat",
            {"error": {"message": "No", "type": "server_error", "param": None, "code": None}},
        ),
        (
            "openai_responses",
            {
                "type": "error",
                "code": "server_error",
                "message": "No",
                "param": None,
                "sequence_number": 0,
            },
        ),
        (
            "anthropic_messages",
            {
                "type": "error",
                "error": {"type": "overloaded_error", "message": "No"},
                "request_id": "req_r",
            },
        ),
        ("gemini", {"error": {"code": 503, "message": "No", "status": "UNAVAILABLE"}}),
    ],
)
def test_an_error_in_a_stream_has_the_dialects_own_form(name, error):
    assert data(name, (ProviderError("No"),))[0] == error


def test_a_response_that_breaks_off_has_failed_which_is_what_agents_wait_for():
    _, last = data("openai_responses", (ProviderError("No"),))

    assert (last["type"], last["response"]["status"]) == ("response.failed", "failed")
    assert last["response"]["error"] == {"code": "server_error", "message": "No"}
    assert last["sequence_number"] == 1


@each_dialect
def test_a_comment_is_no_event(name):
    assert spelt(name, (Noise("comment"),))[0].startswith(": ")


@each_dialect
@pytest.mark.parametrize("form", ["comment", "unknown_event", "no_choices"])
def test_noise_says_nothing_of_the_reply(name, form):
    (said,) = spelt(name, (Noise(form),))
    assert "call_" not in said
    assert "text" not in said.lower().replace("text/event", "").replace('"modality": "text"', "")


def test_a_null_delta_is_null_where_something_new_should_be():
    noise = (Noise("null_delta"),)

    assert data("openai_chat", noise)[0]["choices"][0]["delta"] is None
    assert data("anthropic_messages", noise)[0]["delta"] is None
    assert data("openai_responses", noise)[0]["delta"] is None
    assert data("gemini", noise)[0]["candidates"][0]["content"] is None


def test_blocks_without_ends_end_with_the_reply():
    messages = data("anthropic_messages", fault("block_end_missing").shape(STREAM))
    responses = data("openai_responses", fault("block_end_missing").shape(STREAM))

    assert "content_block_stop" not in {event["type"] for event in messages}
    assert messages[-1]["type"] == "message_stop"
    assert not [event for event in responses if event["type"].endswith(".done")]
    assert responses[-1]["response"]["output"][-1]["status"] == "completed"


REFUSED = fault("refusal", text="No.").say(REPLY)


def test_a_refusal_has_a_place_of_its_own_where_the_dialect_has_one():
    message = json.loads(DIALECTS["openai_chat"].whole(REFUSED, FRAME))["choices"][0]["message"]
    output = json.loads(DIALECTS["openai_responses"].whole(REFUSED, FRAME))["output"]
    stopped = json.loads(DIALECTS["anthropic_messages"].whole(REFUSED, FRAME))

    assert (message["content"], message["refusal"]) == (None, "No.")
    assert output[0]["content"] == [{"type": "refusal", "refusal": "No."}]
    assert (stopped["stop_reason"], stopped["content"][0]["text"]) == ("refusal", "No.")


def test_a_streamed_refusal_is_the_same_as_a_whole_one():
    stream = tuple(pieces(REFUSED))
    deltas = [chunk["choices"] for chunk in data("openai_chat", stream, REFUSED)]
    responses = data("openai_responses", stream, REFUSED)
    messages = data("anthropic_messages", stream, REFUSED)

    assert "No." in [choice["delta"].get("refusal") for (choice,) in filter(None, deltas)]
    assert [event["type"] for event in responses if "refusal" in event["type"]] == [
        "response.refusal.delta",
        "response.refusal.done",
    ]
    whole = json.loads(DIALECTS["openai_responses"].whole(REFUSED, FRAME))["output"]
    assert responses[-1]["response"]["output"] == whole
    assert messages[-2]["delta"]["stop_reason"] == "refusal"


def test_text_that_is_no_refusal_is_none():
    assert data("openai_chat", (Text("No."),))[0]["choices"][0]["delta"] == {"content": "No."}


def test_every_kind_of_stream_fault_is_spelt_here():
    shapes = {kind for kind, one in KINDS.items() if hasattr(one, "shape")}
    assert shapes == {kind for kind, _, _ in STREAMED}
