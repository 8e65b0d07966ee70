"""Anthropic Messages to the byte: replies, errors and asides against literals."""

import json

import pytest

from faultloop.fakes.dialects.anthropic_messages_input import tool_input
from faultloop.fakes.reply import Reply, ReplyCall

from .anthropic_messages_replies import (
    CALLS,
    COUNTS,
    FRAME,
    HEADERS,
    MESSAGES,
    MODELS,
    REPLY,
    TALK,
    USER,
    events,
    http,
    request,
)

AROUND = (
    '{"model":"claude-fake","id":"msg_abc","type":"message","role":"assistant","content":%s,'
    '"container":null,"stop_reason":%s,"stop_sequence":null,"stop_details":%s,'
    '"usage":{"input_tokens":%d,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,'
    '"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},'
    '"output_tokens":%d,%s"service_tier":"standard","inference_geo":"global"},"diagnostics":null}'
)
NO_THOUGHT = '"output_tokens_details":{"thinking_tokens":0},'
REFUSAL = '{"type":"refusal","category":null,"explanation":null}'
PING = 'event: ping\ndata: {"type": "ping"}'


def event(kind: str, rest: str = "") -> str:
    return f'event: {kind}\ndata: {{"type":"{kind}"{rest}}}'


def delta(index: int, piece: str) -> str:
    return event("content_block_delta", f',"index":{index},"delta":{piece}')


def begun(index: int, block: str) -> str:
    return event("content_block_start", f',"index":{index},"content_block":{block}')


def stopped(index: int) -> str:
    return event("content_block_stop", f',"index":{index}')


def json_piece(index: int, text: str) -> str:
    return delta(index, f'{{"type":"input_json_delta","partial_json":{json.dumps(text)}}}')


def call(id_: str, name: str) -> str:
    return (
        f'{{"type":"tool_use","id":"{id_}","name":"{name}","input":{{}},'
        '"caller":{"type":"direct"}}'
    )


def over(reason: str, prompt: int, completion: int, details: str = "null") -> str:
    return event(
        "message_delta",
        f',"delta":{{"stop_reason":"{reason}","stop_sequence":null,"stop_details":{details},'
        f'"container":null}},"usage":{{"input_tokens":{prompt},"cache_creation_input_tokens":0,'
        f'"cache_read_input_tokens":0,"output_tokens":{completion},'
        '"output_tokens_details":{"thinking_tokens":0}}',
    )


def opened(prompt: int, completion: int) -> str:
    start = AROUND % ("[]", "null", "null", prompt, completion, "")
    return event("message_start", f',"message":{start}')


def test_a_stream_is_the_published_one_to_the_byte():
    assert events(REPLY) == [
        opened(12, 1),
        begun(0, '{"type":"text","text":""}'),
        PING,
        delta(0, '{"type":"text_delta","text":"I look."}'),
        stopped(0),
        begun(1, call("call_1", "read_file")),
        json_piece(1, ""),
        json_piece(1, '{"path": "a.'),
        json_piece(1, 'txt"}'),
        stopped(1),
        begun(2, call("call_2", "list_files")),
        json_piece(2, ""),
        json_piece(2, "{}"),
        stopped(2),
        over("tool_use", 12, 7),
        event("message_stop"),
    ]


def test_a_stream_of_calls_alone_has_the_first_call_at_0_and_no_ping():
    alone = Reply(id="abc", turn=0, step=1, text="", calls=CALLS[1:], finish="tool_calls")

    assert events(alone)[1:5] == [
        begun(0, call("call_2", "list_files")),
        json_piece(0, ""),
        json_piece(0, "{}"),
        stopped(0),
    ]


def test_a_stream_of_nothing_has_no_block():
    silent = Reply(id="abc", turn=0, step=1, text="", calls=(), finish="stop")

    assert events(silent) == [opened(0, 0), over("end_turn", 0, 0), event("message_stop")]


@pytest.mark.parametrize(
    ("finish", "reason", "details"),
    [
        ("stop", "end_turn", "null"),
        ("tool_calls", "tool_use", "null"),
        ("length", "max_tokens", "null"),
        ("content_filter", "refusal", REFUSAL),
    ],
)
def test_each_finish_has_its_stop_reason_whole_and_streamed(finish, reason, details):
    reply = Reply(id="abc", turn=0, step=1, text="Yes.", calls=(), finish=finish)

    assert over(reason, 0, 0, details) in events(reply)
    assert MESSAGES.whole(reply, FRAME).decode() == AROUND % (
        '[{"type":"text","text":"Yes."}]',
        f'"{reason}"',
        details,
        0,
        0,
        NO_THOUGHT,
    )


def test_a_whole_reply_is_the_published_one_to_the_byte():
    blocks = (
        '[{"type":"text","text":"I look."},'
        '{"type":"tool_use","id":"call_1","name":"read_file","input":{"path":"a.txt"},'
        '"caller":{"type":"direct"}},'
        '{"type":"tool_use","id":"call_2","name":"list_files","input":{},'
        '"caller":{"type":"direct"}}]'
    )

    assert MESSAGES.whole(REPLY, FRAME).decode() == AROUND % (
        blocks,
        '"tool_use"',
        "null",
        12,
        7,
        NO_THOUGHT,
    )


def test_a_whole_reply_of_nothing_has_no_content():
    silent = Reply(id="abc", turn=0, step=1, text="", calls=(), finish="stop")

    assert json.loads(MESSAGES.whole(silent, FRAME))["content"] == []


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        ("", "{}"),
        (" \n", "{}"),
        ('{"a": 1.0}', '{"a":1.0}'),
        ('{"path": "a.txt", "line', '{"path":"a.txt"}'),
        ('{"path": "a.t', "{}"),
        ('{"a": [1, {"b": 2, "c": "x', '{"a":[1,{"b":2}]}'),
        ('{"a": "}{\\"", "b": tr', '{"a":"}{\\""}'),
        ('{"a": 1}{"a": 2}', '{"a":1}'),
        ('{"a": 1}\nThat is all.', '{"a":1}'),
        ("[1, 2]", "[1,2]"),
        ('"{}"', '"{}"'),
        ("{'a': True}", "\"{'a': True}\""),
        ("```json\n{}\n```", '"```json\\n{}\\n```"'),
        ("}", '"}"'),
        ('{"a": "\ud83d"}', '"{\\"a\\": \\"\\ud83d\\"}"'),
    ],
)
def test_a_whole_call_has_the_value_that_a_partial_reader_finds_in_its_text(arguments, value):
    assert tool_input(arguments).decode() == value


def test_half_a_character_is_escaped_in_a_whole_reply_with_calls():
    reply = Reply(id="abc", turn=0, step=1, text="\ud83d", calls=CALLS, finish="stop")

    assert b'"text":"\\ud83d"' in MESSAGES.whole(reply, FRAME)
    assert json.loads(MESSAGES.whole(reply, FRAME))["content"][1]["input"] == {"path": "a.txt"}


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (402, "billing_error"),
        (403, "permission_error"),
        (404, "not_found_error"),
        (409, "conflict_error"),
        (422, "invalid_request_error"),
        (429, "rate_limit_error"),
        (500, "api_error"),
        (503, "api_error"),
        (504, "timeout_error"),
        (529, "overloaded_error"),
    ],
)
def test_an_error_has_the_type_of_its_status_and_the_id_of_its_request(status, kind):
    body = MESSAGES.error(status=status, code="c", message="No.", param="p", request_id="7")

    assert body.decode() == (
        f'{{"type":"error","error":{{"type":"{kind}","message":"No."}},"request_id":"req_7"}}'
    )
    assert ("request-id", "req_7") in MESSAGES.error_headers(status=status, request_id="7")


def test_what_is_too_large_is_refused_by_the_gateway_in_its_own_form():
    body = MESSAGES.error(status=413, code=None, message="Request exceeds the maximum size")

    assert body == (
        b'{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}'
    )


@pytest.mark.parametrize(
    ("status", "said"),
    [(400, "false"), (401, "false"), (409, "true"), (429, "true"), (500, "true"), (529, "true")],
)
def test_a_failure_says_whether_to_come_again(status, said):
    assert dict(MESSAGES.error_headers(status=status))["x-should-retry"] == said


def test_only_a_rate_limit_says_that_requests_are_used_up_and_until_when():
    limited = dict(MESSAGES.error_headers(status=429, retry_after_s=1.5))

    assert limited["retry-after"] == "2"
    assert limited["anthropic-ratelimit-requests-remaining"] == "0"
    assert limited["anthropic-ratelimit-requests-reset"] == "2026-01-01T00:00:02Z"
    assert limited["anthropic-ratelimit-input-tokens-remaining"] == "2000000"
    assert not any(
        name.startswith(("anthropic-ratelimit", "retry-after"))
        for name, _ in MESSAGES.error_headers(status=529)
    )


def test_a_reply_bears_its_request_id_its_organization_and_what_may_still_be_asked():
    headers = MESSAGES.headers(streamed=True, reply_id="abc")

    assert headers[:2] == (
        ("content-type", "text/event-stream; charset=utf-8"),
        ("request-id", "req_abc"),
    )
    assert MESSAGES.headers(streamed=False, reply_id="abc")[0] == (
        "content-type",
        "application/json",
    )
    assert dict(headers)["anthropic-ratelimit-requests-remaining"] == "4000"
    assert "anthropic-organization-id" in dict(headers)


def test_the_list_of_models_is_the_published_one():
    listed = json.loads(MESSAGES.aside(http(b"", HEADERS, MODELS)))

    assert [*listed] == ["data", "has_more", "first_id", "last_id"]
    assert [model["id"] for model in listed["data"]] == [listed["first_id"]] == ["fake-model"]


def test_tokens_are_counted_without_a_limit():
    body = request(USER, max_tokens="-")

    assert MESSAGES.aside(http(body, HEADERS, COUNTS)) == (
        f'{{"input_tokens":{len(body) // 4}}}'.encode()
    )


def test_text_is_not_escaped():
    assert '"text":"Grüß dich."' in MESSAGES.whole(TALK, FRAME).decode()
    assert delta(0, '{"type":"text_delta","text":"Grüß dich."}') in events(TALK)


def test_a_call_whose_arguments_are_no_json_still_makes_a_message():
    call = ReplyCall(id="call_1", tool="x", arguments="rm -rf /")
    reply = Reply(id="abc", turn=0, step=1, text="", calls=(call,), finish="tool_calls")

    (block,) = json.loads(MESSAGES.whole(reply, FRAME))["content"]

    assert block["input"] == "rm -rf /"
