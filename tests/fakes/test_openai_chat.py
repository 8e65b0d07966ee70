"""Chat Completions to the byte: against literals, and against the official SDK."""

import json

import pytest

from faultloop.fakes.conversation import Message, SaidCall
from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import BadRequest
from faultloop.fakes.reply import Reply, ReplyCall, pieces

CHAT = DIALECTS["openai_chat"]
CREATED_S = 1_767_225_600
CALLS = (
    ReplyCall(id="call_1", tool="read_file", arguments='{"path":"a.txt"}'),
    ReplyCall(id="call_2", tool="list_files", arguments="{}"),
)
REPLY = Reply(
    id="abc",
    turn=0,
    step=1,
    text="I look.",
    calls=CALLS,
    finish="tool_calls",
    prompt_tokens=12,
    completion_tokens=7,
)
TALK = Reply(id="abc", turn=0, step=1, text="Grüß dich.", calls=(), finish="stop")


def streamed(reply: Reply, *, usage: bool) -> list[str]:
    spelling = CHAT.stream(reply, created_s=CREATED_S, model="fake-model", usage=usage)
    body = b"".join(spelling.event(delta) for delta in pieces(reply)).decode()
    assert body.endswith("\n\n")
    return body[:-2].split("\n\n")


FRAME = (
    'data: {"id":"chatcmpl-abc","object":"chat.completion.chunk","created":1767225600,'
    '"model":"fake-model","service_tier":"default","system_fingerprint":"fp_faultloop",'
)


def chunk(delta: str, finish: str = "null", usage: str = "") -> str:
    choice = f'{{"index":0,"delta":{delta},"logprobs":null,"finish_reason":{finish}}}'
    return f'{FRAME}"choices":[{choice}]{usage}}}'


def test_a_stream_is_the_published_one_to_the_byte():
    assert streamed(REPLY, usage=False) == [
        chunk('{"role":"assistant","content":"","refusal":null}'),
        chunk('{"content":"I look."}'),
        chunk(
            '{"tool_calls":[{"index":0,"id":"call_1","type":"function",'
            '"function":{"name":"read_file","arguments":""}}]}'
        ),
        chunk('{"tool_calls":[{"index":0,"function":{"arguments":"{\\"path\\":\\"a.t"}}]}'),
        chunk('{"tool_calls":[{"index":0,"function":{"arguments":"xt\\"}"}}]}'),
        chunk(
            '{"tool_calls":[{"index":1,"id":"call_2","type":"function",'
            '"function":{"name":"list_files","arguments":""}}]}'
        ),
        chunk('{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]}'),
        chunk("{}", '"tool_calls"'),
        "data: [DONE]",
    ]


def test_usage_comes_in_a_chunk_without_choices_and_only_if_asked_for():
    events = streamed(TALK, usage=True)

    assert events == [
        chunk('{"role":"assistant","content":"","refusal":null}', usage=',"usage":null'),
        chunk('{"content":"Grüß dich."}', usage=',"usage":null'),
        chunk("{}", '"stop"', ',"usage":null'),
        FRAME + '"choices":[],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0,'
        '"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},'
        '"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,'
        '"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}}',
        "data: [DONE]",
    ]


def test_a_stream_of_calls_alone_begins_with_null_content():
    calls_only = Reply(id="abc", turn=0, step=1, text="", calls=CALLS, finish="tool_calls")

    first = streamed(calls_only, usage=False)[0]

    assert first == chunk('{"role":"assistant","content":null,"refusal":null}')


def test_a_whole_reply_is_the_published_one_to_the_byte():
    body = CHAT.whole(REPLY, created_s=CREATED_S, model="fake-model").decode()

    assert body == WHOLE


def test_a_whole_reply_of_calls_alone_has_null_content():
    reply = Reply(id="abc", turn=0, step=1, text="", calls=CALLS, finish="tool_calls")

    message = json.loads(CHAT.whole(reply, created_s=0, model="m"))["choices"][0]["message"]

    assert message["content"] is None
    assert [*message] == ["role", "content", "tool_calls", "refusal", "annotations"]


def test_a_whole_reply_without_calls_has_no_field_for_them():
    message = json.loads(CHAT.whole(TALK, created_s=0, model="m"))["choices"][0]["message"]

    assert message == {
        "role": "assistant",
        "content": "Grüß dich.",
        "refusal": None,
        "annotations": [],
    }


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, "invalid_request_error"), (429, "requests"), (500, "server_error")],
)
def test_an_error_has_the_form_and_type_of_the_api(status, kind):
    body = CHAT.error(status=status, code="c", message="No.", param="messages.[1].role")

    assert body.decode() == (
        "{\n"
        '  "error": {\n'
        '    "message": "No.",\n'
        f'    "type": "{kind}",\n'
        '    "param": "messages.[1].role",\n'
        '    "code": "c"\n'
        "  }\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("seconds", "headers"),
    [
        (None, {"content-type": "application/json"}),
        (2.0, {"content-type": "application/json", "retry-after": "2", "retry-after-ms": "2000"}),
        (0.2, {"content-type": "application/json", "retry-after": "1", "retry-after-ms": "200"}),
    ],
)
def test_retry_after_is_in_whole_seconds_with_milliseconds_beside_it(seconds, headers):
    assert dict(CHAT.error_headers(retry_after_s=seconds)) == headers


def test_content_types_tell_a_stream_from_a_whole_reply():
    stream, whole = (dict(CHAT.headers(streamed=s, reply_id="abc")) for s in (True, False))

    assert stream["content-type"] == "text/event-stream; charset=utf-8"
    assert whole["content-type"] == "application/json"
    assert whole["x-request-id"] == "req_abc"


# --- requests ---------------------------------------------------------------------------------


def request(*messages: object, **more: object) -> bytes:
    return json.dumps({"model": "fake-model", "messages": messages, **more}).encode()


USER = {"role": "user", "content": "Go."}


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

    conversation = CHAT.parse(body)

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
    conversation = CHAT.parse(request(USER, **more))

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
    conversation = CHAT.parse(request(USER, tools=[offered("read_file")], **more))

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
    assert CHAT.parse(request(USER, **more)).messages == (Message(role="user", text="Go."),)


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
        CHAT.parse(body)

    assert (caught.value.param, caught.value.code, caught.value.status) == (param, code, 400)
    assert words in caught.value.message


# --- the official SDK -------------------------------------------------------------------------


def sdk(body: bytes, *, streamed: bool, status: int = 200):
    """A client of the official SDK that is answered with these bytes."""
    openai = pytest.importorskip("openai", reason="the extra `openai` is not installed")
    httpx2 = pytest.importorskip("httpx2", reason="this openai does not run on httpx2")
    headers = (
        CHAT.headers(streamed=streamed, reply_id="abc") if status == 200 else CHAT.error_headers()
    )
    transport = httpx2.MockTransport(
        lambda request: httpx2.Response(status, headers=dict(headers), content=body)
    )
    return openai.OpenAI(
        api_key="none",
        base_url="http://provider.test/v1",
        max_retries=0,
        http_client=httpx2.Client(transport=transport),
    )


def test_the_sdk_reads_a_whole_reply():
    body = CHAT.whole(REPLY, created_s=CREATED_S, model="fake-model")
    client = sdk(body, streamed=False)

    completion = client.chat.completions.create(model="fake-model", messages=[USER])

    choice = completion.choices[0]
    assert (completion.id, completion.created, completion._request_id) == (
        "chatcmpl-abc",
        CREATED_S,
        "req_abc",
    )
    assert (choice.finish_reason, choice.message.content) == ("tool_calls", "I look.")
    assert [(c.id, c.function.name, c.function.arguments) for c in choice.message.tool_calls] == [
        (c.id, c.tool, c.arguments) for c in CALLS
    ]
    assert completion.usage.total_tokens == 19
    assert completion.model_extra == {}
    assert choice.message.model_extra == {}


def test_the_sdk_assembles_a_streamed_reply():
    spelling = CHAT.stream(REPLY, created_s=CREATED_S, model="fake-model", usage=True)
    client = sdk(b"".join(map(spelling.event, pieces(REPLY))), streamed=True)

    with client.chat.completions.stream(
        model="fake-model", messages=[USER], stream_options={"include_usage": True}
    ) as stream:
        completion = stream.get_final_completion()

    choice = completion.choices[0]
    assert (choice.finish_reason, choice.message.content) == ("tool_calls", "I look.")
    assert [(c.id, c.function.name, c.function.arguments) for c in choice.message.tool_calls] == [
        (c.id, c.tool, c.arguments) for c in CALLS
    ]
    assert completion.usage.total_tokens == 19


def test_the_sdk_raises_the_error_that_was_meant():
    body = CHAT.error(status=400, code=None, message="No.", param="messages.[1].role")
    client = sdk(body, streamed=False, status=400)
    import openai

    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(model="fake-model", messages=[USER])

    assert caught.value.param == "messages.[1].role"
    assert caught.value.type == "invalid_request_error"


WHOLE = """{
  "id": "chatcmpl-abc",
  "object": "chat.completion",
  "created": 1767225600,
  "model": "fake-model",
  "choices": [
    {
      "index": 0,
      "message": {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [
          {
            "id": "call_1",
            "type": "function",
            "function": {
              "name": "read_file",
              "arguments": "{\\"path\\":\\"a.txt\\"}"
            }
          },
          {
            "id": "call_2",
            "type": "function",
            "function": {
              "name": "list_files",
              "arguments": "{}"
            }
          }
        ],
        "refusal": null,
        "annotations": []
      },
      "logprobs": null,
      "finish_reason": "tool_calls"
    }
  ],
  "usage": {
    "prompt_tokens": 12,
    "completion_tokens": 7,
    "total_tokens": 19,
    "prompt_tokens_details": {
      "cached_tokens": 0,
      "audio_tokens": 0
    },
    "completion_tokens_details": {
      "reasoning_tokens": 0,
      "audio_tokens": 0,
      "accepted_prediction_tokens": 0,
      "rejected_prediction_tokens": 0
    }
  },
  "service_tier": "default",
  "system_fingerprint": "fp_faultloop"
}
"""
