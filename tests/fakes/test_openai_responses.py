"""Responses to the byte: replies against literals."""

import json

import pytest

from faultloop.fakes.faults import KINDS
from faultloop.fakes.reply import Eof, ReplyCall, pieces

from .openai_responses_replies import (
    APPLY_PATCH,
    CALLS,
    FRAME,
    FUNCTION,
    LEDGER,
    REPLY,
    RESPONSES,
    TALK,
    data,
    framed,
    reply,
    spelt,
)

CALL = ReplyCall(id="call_1", tool="read_file", arguments='{"path":"a.txt"}')


def response(status: str, output: str = "", usage: str = "null", tier: str = "auto") -> str:
    """A response object on one line."""
    completed_at = "1767225600" if status == "completed" else "null"
    return (
        '{"id":"resp_abc","object":"response","created_at":1767225600,'
        f'"status":"{status}","background":false,"completed_at":{completed_at},"error":null,'
        '"frequency_penalty":0.0,"incomplete_details":null,"instructions":null,'
        '"max_output_tokens":null,"max_tool_calls":null,"model":"fake-model","moderation":null,'
        f'"output":[{output}],"parallel_tool_calls":true,"presence_penalty":0.0,'
        '"previous_response_id":null,"prompt_cache_key":null,'
        '"prompt_cache_retention":"in_memory",'
        '"reasoning":{"context":null,"effort":null,"summary":null},"safety_identifier":null,'
        f'"service_tier":"{tier}","store":true,"temperature":1.0,'
        '"text":{"format":{"type":"text"},"verbosity":"medium"},"tool_choice":"auto",'
        '"tool_usage":{"image_gen":{"input_tokens":0,'
        '"input_tokens_details":{"image_tokens":0,"text_tokens":0},"output_tokens":0,'
        '"output_tokens_details":{"image_tokens":0,"text_tokens":0},"total_tokens":0},'
        '"web_search":{"num_requests":0}},"tools":[],"top_logprobs":0,"top_p":1.0,'
        f'"truncation":"disabled","usage":{usage},"user":null,"metadata":{{}}}}'
    )


def event(name: str, fields: str) -> str:
    return f'event: {name}\ndata: {{"type":"{name}",{fields}}}'


def function(number: int, name: str, arguments: str, status: str) -> str:
    return (
        f'{{"id":"fc_{number}","type":"function_call","status":"{status}",'
        f'"arguments":"{arguments}","call_id":"call_{number}","name":"{name}"}}'
    )


SAID = (
    '{"id":"msg_abc","type":"message","status":"completed","content":[{"type":"output_text",'
    '"annotations":[],"logprobs":[],"text":"I look."}],"role":"assistant"}'
)
READ = function(1, "read_file", '{\\"path\\":\\"a.txt\\"}', "completed")
LIST = function(2, "list_files", "{}", "completed")
USAGE = (
    '{"input_tokens":12,"input_tokens_details":{"cache_write_tokens":0,"cached_tokens":0},'
    '"output_tokens":7,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":19}'
)
ADDED, DONE = "response.output_item.added", "response.output_item.done"
ARGUED = "response.function_call_arguments.delta"
ALL_ARGUED = "response.function_call_arguments.done"

STREAM = [
    event("response.created", f'"response":{response("in_progress")},"sequence_number":0'),
    event("response.in_progress", f'"response":{response("in_progress")},"sequence_number":1'),
    event(
        ADDED,
        '"item":{"id":"msg_abc","type":"message","status":"in_progress","content":[],'
        '"role":"assistant"},"output_index":0,"sequence_number":2',
    ),
    event(
        "response.content_part.added",
        '"content_index":0,"item_id":"msg_abc","output_index":0,"part":{"type":"output_text",'
        '"annotations":[],"logprobs":[],"text":""},"sequence_number":3',
    ),
    event(
        "response.output_text.delta",
        '"content_index":0,"delta":"I look.","item_id":"msg_abc","logprobs":[],"output_index":0,'
        '"sequence_number":4',
    ),
    event(
        "response.output_text.done",
        '"content_index":0,"item_id":"msg_abc","logprobs":[],"output_index":0,'
        '"sequence_number":5,"text":"I look."',
    ),
    event(
        "response.content_part.done",
        '"content_index":0,"item_id":"msg_abc","output_index":0,"part":{"type":"output_text",'
        '"annotations":[],"logprobs":[],"text":"I look."},"sequence_number":6',
    ),
    event(DONE, f'"item":{SAID},"output_index":0,"sequence_number":7'),
    event(
        ADDED,
        f'"item":{function(1, "read_file", "", "in_progress")},"output_index":1,'
        '"sequence_number":8',
    ),
    event(
        ARGUED,
        '"delta":"{\\"path\\":\\"a.t","item_id":"fc_1","output_index":1,"sequence_number":9',
    ),
    event(ARGUED, '"delta":"xt\\"}","item_id":"fc_1","output_index":1,"sequence_number":10'),
    event(
        ALL_ARGUED,
        '"arguments":"{\\"path\\":\\"a.txt\\"}","item_id":"fc_1","output_index":1,'
        '"sequence_number":11',
    ),
    event(DONE, f'"item":{READ},"output_index":1,"sequence_number":12'),
    event(
        ADDED,
        f'"item":{function(2, "list_files", "", "in_progress")},"output_index":2,'
        '"sequence_number":13',
    ),
    event(ARGUED, '"delta":"{}","item_id":"fc_2","output_index":2,"sequence_number":14'),
    event(ALL_ARGUED, '"arguments":"{}","item_id":"fc_2","output_index":2,"sequence_number":15'),
    event(DONE, f'"item":{LIST},"output_index":2,"sequence_number":16'),
    event(
        "response.completed",
        f'"response":{response("completed", f"{SAID},{READ},{LIST}", USAGE, "default")},'
        '"sequence_number":17',
    ),
]


def test_a_stream_is_the_published_one_to_the_byte():
    assert spelt(REPLY) == STREAM


def test_a_whole_reply_is_the_last_event_of_its_stream_indented():
    body = RESPONSES.whole(REPLY, FRAME).decode()

    assert body.startswith('{\n  "id": "resp_abc",\n  "object": "response",\n  "created_at": 17')
    assert body.endswith('    "total_tokens": 19\n  },\n  "user": null,\n  "metadata": {}\n}\n')
    assert json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False) in STREAM[-1]


ENDS = [
    ("stop", "completed", None, "completed"),
    ("tool_calls", "completed", None, "completed"),
    ("length", "incomplete", "max_output_tokens", "incomplete"),
    ("content_filter", "incomplete", "content_filter", "incomplete"),
]


@pytest.mark.parametrize("calls", [(), CALLS[:1], CALLS])
@pytest.mark.parametrize(("finish", "status", "reason", "last"), ENDS)
def test_a_finish_is_a_status_with_its_reason_and_the_last_item_shows_it(
    finish, status, reason, last, calls
):
    said = reply("Well.", *calls, finish=finish)

    end = data(said)[-1]

    whole = end["response"]
    assert end["type"] == f"response.{status}"
    assert (whole["status"], whole["completed_at"] is None) == (status, status == "incomplete")
    assert whole["incomplete_details"] == ({"reason": reason} if reason else None)
    assert [item["status"] for item in whole["output"]] == ["completed"] * len(calls) + [last]
    assert json.loads(RESPONSES.whole(said, FRAME)) == whole


def test_a_call_that_was_cut_is_done_but_incomplete():
    cut = ReplyCall(id="call_1", tool="read_file", arguments='{"path":"a.')

    events = data(reply("", cut, finish="length"))

    assert [event["type"] for event in events[-3:]] == [ALL_ARGUED, DONE, "response.incomplete"]
    assert (events[-2]["item"]["status"], events[-2]["item"]["arguments"]) == (
        "incomplete",
        '{"path":"a.',
    )


def test_an_empty_answer_has_a_message_without_words():
    events = data(reply())

    assert [event["type"] for event in events[2:-1]] == [
        ADDED,
        "response.content_part.added",
        "response.output_text.done",
        "response.content_part.done",
        DONE,
    ]
    (item,) = events[-1]["response"]["output"]
    assert item["content"][0]["text"] == ""
    assert json.loads(RESPONSES.whole(reply(), FRAME)) == events[-1]["response"]


def test_an_answer_that_was_cut_at_once_has_no_item():
    said = reply(finish="length")

    assert data(said)[-1]["response"]["output"] == []
    assert json.loads(RESPONSES.whole(said, FRAME))["output"] == []


def test_a_call_of_a_custom_tool_carries_its_arguments_as_plain_text():
    patch = ReplyCall(id="call_1", tool="apply_patch", arguments="*** Begin Patch")

    events = data(reply("", patch), frame=framed(tools=[APPLY_PATCH]))

    item = {
        "id": "ctc_1",
        "type": "custom_tool_call",
        "status": "completed",
        "call_id": "call_1",
        "input": "*** Begin Patch",
        "name": "apply_patch",
    }
    assert [event["type"].removeprefix("response.") for event in events[2:-1]] == [
        "output_item.added",
        "custom_tool_call_input.delta",
        "custom_tool_call_input.delta",
        "custom_tool_call_input.done",
        "output_item.done",
    ]
    assert events[2]["item"] == {**item, "status": "in_progress", "input": ""}
    assert events[5]["input"] == "*** Begin Patch"
    assert list(events[6]["item"].items()) == list(item.items())
    assert events[-1]["response"]["output"] == [item]


@pytest.mark.parametrize("tool", ["ledger_add", "mcp__ledger__ledger_add"])
def test_a_call_of_a_tool_in_a_namespace_says_which(tool):
    add = ReplyCall(id="call_1", tool=tool, arguments="{}")

    events = data(reply("", add), frame=framed(tools=[FUNCTION, LEDGER]))

    for item in (events[2]["item"], events[-1]["response"]["output"][0]):
        assert (item["name"], item["namespace"]) == ("ledger_add", "mcp__ledger")


def test_a_tool_that_was_not_offered_is_called_as_a_plain_function():
    events = data(reply("", CALL), frame=framed(tools=[LEDGER]))

    assert events[2]["item"]["name"] == "read_file"
    assert "namespace" not in events[2]["item"]


def test_a_response_repeats_what_its_request_asked_for():
    frame = framed(
        instructions="Be kind.",
        max_output_tokens=50,
        metadata={"a": "b"},
        parallel_tool_calls=False,
        reasoning={"effort": "low"},
        service_tier="flex",
        store=False,
        temperature=0,
        text={"verbosity": "low"},
        tool_choice="required",
        tools=[{"type": "function", "name": "f"}, APPLY_PATCH, LEDGER, {"type": "web_search"}],
        truncation="auto",
        user="u",
    )

    whole = json.loads(RESPONSES.whole(TALK, frame))

    tools = whole.pop("tools")
    assert whole == whole | {
        "instructions": "Be kind.",
        "max_output_tokens": 50,
        "metadata": {"a": "b"},
        "parallel_tool_calls": False,
        "reasoning": {"context": None, "effort": "low", "summary": None},
        "service_tier": "flex",
        "store": False,
        "temperature": 0,
        "text": {"format": {"type": "text"}, "verbosity": "low"},
        "tool_choice": "required",
        "truncation": "auto",
        "user": "u",
    }
    assert [tool["type"] for tool in tools] == ["function", "custom", "namespace", "web_search"]
    assert tools[0] == {
        "type": "function",
        "description": None,
        "name": "f",
        "output_schema": None,
        "parameters": None,
        "strict": True,
    }
    assert tools[1]["format"] == {"type": "text"}
    assert tools[2]["tools"][0]["strict"] is True


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid_request_error"),
        (401, "invalid_request_error"),
        (404, "invalid_request_error"),
        (429, "requests"),
        (500, "server_error"),
        (503, "service_unavailable_error"),
    ],
)
def test_an_error_has_the_form_and_type_of_the_api(status, kind):
    body = RESPONSES.error(status=status, code="c", message="No.", param="input[1]")

    assert body.decode() == (
        "{\n"
        '  "error": {\n'
        '    "message": "No.",\n'
        f'    "type": "{kind}",\n'
        '    "param": "input[1]",\n'
        '    "code": "c"\n'
        "  }\n"
        "}\n"
    )


def test_headers_are_those_of_the_api_whichever_of_its_dialects_is_spoken():
    stream, whole = (dict(RESPONSES.headers(streamed=s, reply_id="abc")) for s in (True, False))
    failure = dict(RESPONSES.error_headers(status=429, retry_after_s=1.5, request_id="1"))

    assert stream["content-type"] == "text/event-stream; charset=utf-8"
    assert (whole["content-type"], whole["x-request-id"]) == ("application/json", "req_abc")
    assert (failure["retry-after"], failure["retry-after-ms"]) == ("2", "1500")


def test_a_stream_that_breaks_after_all_arguments_has_delivered_its_calls():
    cut = KINDS["ends_without_finish"](at="step 1").shape(tuple(pieces(REPLY)))

    names = [event["type"] for event in data(REPLY, [d for d in cut if not isinstance(d, Eof)])]

    assert names.count(DONE) == 3
    assert names[-1] == DONE
