"""Chat Completions requests: what is read, what is welcome, what the API rejects in its words."""

import json

import pytest

from faultloop.fakes.conversation import Message, SaidCall
from faultloop.fakes.dialects.dialect import BadRequest
from faultloop.fakes.dialects.openai_chat_request import read

from .chat_replies import USER


def request(*messages: object, **more: object) -> bytes:
    return json.dumps({"model": "fake-model", "messages": messages, **more}).encode()


def call(id_: str = "call_1", name: str = "read_file", arguments: object = "{}") -> dict:
    return {
        "id": id_,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }


def offered(name: str) -> dict:
    return {"type": "function", "function": {"name": name}}


def asks(*calls: object) -> dict:
    return {"role": "assistant", "content": None, "tool_calls": calls}


def test_a_request_is_read_in_full():
    body = request(
        {"role": "developer", "content": "Be kind."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "Go"}, {"type": "text", "text": "."}],
        },
        asks(call()),
        {"role": "tool", "tool_call_id": "call_1", "content": "ok"},
        tools=[{"type": "function", "function": {"name": "read_file"}}],
        stream=True,
        stream_options={"include_usage": True},
        max_completion_tokens=50,
    )

    conversation = read(body)

    assert conversation.messages == (
        Message(role="system", text="Be kind."),
        Message(role="user", text="Go."),
        Message(
            role="assistant",
            calls=(SaidCall(id="call_1", name="read_file", arguments="{}"),),
        ),
        Message(role="tool", text="ok", result_of="call_1"),
    )
    assert conversation.tools == ("read_file",)
    assert (conversation.streaming, conversation.wants_usage) == (True, True)
    assert (conversation.model, conversation.max_tokens) == ("fake-model", 50)
    assert conversation.raw == body.decode()


@pytest.mark.parametrize(
    ("more", "streaming", "usage"),
    [({}, False, True), ({"stream": True}, True, False), ({"stream": False}, False, True)],
)
def test_usage_of_a_stream_must_be_asked_for(more, streaming, usage):
    conversation = read(request(USER, **more))

    assert (conversation.streaming, conversation.wants_usage) == (streaming, usage)


@pytest.mark.parametrize(
    ("more", "may_call", "one_call"),
    [
        ({}, True, False),
        ({"tool_choice": "auto", "parallel_tool_calls": True, "n": 1}, True, False),
        ({"tool_choice": "none"}, False, False),
        ({"tool_choice": "required", "parallel_tool_calls": False}, True, True),
    ],
)
def test_what_the_model_may_call_is_read(more, may_call, one_call):
    conversation = read(request(USER, tools=[offered("read_file")], **more))

    assert (conversation.may_call, conversation.one_call) == (may_call, one_call)


@pytest.mark.parametrize(
    "more",
    [
        {"tools": None, "tool_choice": None, "parallel_tool_calls": None, "n": None},
        {"tools": [{"type": "custom", "custom": {"name": "shell"}}]},
        {"temperature": 0.2, "store": False, "metadata": {"a": "b"}, "user": "u", "seed": 1},
    ],
)
def test_what_clients_send_beside_that_is_welcome(more):
    assert read(request(USER, **more)).messages == (Message(role="user", text="Go."),)


BAD = [
    (b"{", None, None, "We could not parse the JSON body of your request."),
    (b"[]", None, None, "We could not parse the JSON body of your request."),
    (b'{"x": "\\ud83d"}', None, None, "We could not parse the JSON body of your request."),
    (b'{"messages": []}', None, None, "you must provide a model parameter"),
    (
        b'{"model": "m"}',
        "messages",
        "missing_required_parameter",
        "Missing required parameter: 'messages'.",
    ),
    (request(), "messages", "empty_array", "Invalid 'messages': empty array."),
    (request("hi"), "messages[0]", "invalid_type", "expected an object, but got a string"),
    (
        request({"role": "robot", "content": "x"}),
        "messages[0].role",
        "invalid_value",
        "Invalid value: 'robot'. Supported values are: 'system', 'assistant', 'user', 'function', "
        "'tool', and 'developer'.",
    ),
    (
        request({"role": "user", "content": None}),
        "messages.[0].content",
        None,
        "Invalid value for 'content': expected a string, got null.",
    ),
    (
        request(USER, {"role": "assistant", "content": None}),
        "messages.[1].content",
        None,
        "Invalid value for 'content': expected a string, got null.",
    ),
    (request({"role": "user", "content": 7}), "messages[0].content", "invalid_type", "an integer"),
    (request(USER, asks()), "messages[1].tool_calls", "empty_array", "minimum length 1"),
    (
        request(USER, asks(call(arguments={"path": "a"}))),
        "messages[1].tool_calls[0].function.arguments",
        "invalid_type",
        "expected a string, but got an object instead.",
    ),
    (
        request(USER, asks(call(name="read file"))),
        "messages[1].tool_calls[0].function.name",
        "invalid_value",
        "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    ),
    (
        request(USER, asks(call(id_="x" * 41))),
        "messages[1].tool_calls[0].id",
        "string_above_max_length",
        "but got a string with length 41 instead.",
    ),
    (
        request(USER, {"role": "tool", "content": "ok"}),
        "messages.[1].tool_call_id",
        None,
        "messages with role 'tool' must have a 'tool_call_id'.",
    ),
    (
        request(USER, tools=[{"type": "function", "function": {"name": "a b"}}]),
        "tools[0].function.name",
        "invalid_value",
        "does not match pattern",
    ),
    (request(USER, tools=[]), "tools", "empty_array", "Invalid 'tools': empty array."),
    (
        request(USER, tools=[{"function": {"name": "a"}}]),
        "tools[0].type",
        "missing_required_parameter",
        "Missing required parameter: 'tools[0].type'.",
    ),
    (
        request(USER, tools=[{"type": "tool", "function": {"name": "a"}}]),
        "tools[0].type",
        "invalid_value",
        "Invalid value: 'tool'. Supported values are: 'function' and 'custom'.",
    ),
    (
        request(USER, tools=[offered("n" * 65)]),
        "tools[0].function.name",
        "string_above_max_length",
        "Expected a string with maximum length 64, but got a string with length 65 instead.",
    ),
    (
        request(USER, tools=[offered("a"), offered("b"), offered("a")]),
        "tools",
        None,
        "Tool names must be unique.",
    ),
    (
        request(USER, asks({**call(), "type": None})),
        "messages[1].tool_calls[0].type",
        "missing_required_parameter",
        "Missing required parameter: 'messages[1].tool_calls[0].type'.",
    ),
    (
        request(USER, asks(call(name="n" * 65))),
        "messages[1].tool_calls[0].function.name",
        "string_above_max_length",
        "maximum length 64",
    ),
    (
        request({"role": "user", "content": [{"text": "Go."}]}),
        "messages[0].content[0].type",
        "missing_required_parameter",
        "Missing required parameter: 'messages[0].content[0].type'.",
    ),
    (
        request(USER, tool_choice="auto"),
        "tool_choice",
        None,
        "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are",
    ),
    (
        request(USER, parallel_tool_calls=False),
        "parallel_tool_calls",
        None,
        "'parallel_tool_calls' is only allowed when 'tools' are specified.",
    ),
    (
        request(USER, n=2),
        "n",
        "unsupported_value",
        "'n' does not support 2 with this model. Only the default (1) value is supported.",
    ),
    (request(USER, n="2"), "n", "invalid_type", "expected an integer, but got a string"),
    (request(USER, tools=7), "tools", "invalid_type", "expected an array, but got an integer"),
    (
        request(USER, stream_options={"include_usage": True}),
        "stream_options",
        None,
        "only allowed when 'stream' is enabled.",
    ),
    (b"[" * 100_000, None, None, "We could not parse the JSON body of your request."),
]


@pytest.mark.parametrize(("body", "param", "code", "words"), BAD)
def test_a_request_of_the_wrong_shape_is_rejected_in_the_words_of_the_api(body, param, code, words):
    with pytest.raises(BadRequest) as caught:
        read(body)

    assert (caught.value.param, caught.value.code, caught.value.status) == (param, code, 400)
    assert words in caught.value.message
