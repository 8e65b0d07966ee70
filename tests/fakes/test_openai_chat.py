"""Chat Completions to the byte: replies against literals."""

import json

import pytest

from faultloop.fakes.reply import Reply, pieces

from .chat_replies import CALLS, CHAT, FRAME, REPLY, TALK


def streamed(reply: Reply, *, usage: bool) -> list[str]:
    spelling = CHAT.stream(reply, FRAME._replace(usage=usage))
    body = b"".join(spelling.event(delta) for delta in pieces(reply)).decode()
    assert body.endswith("\n\n")
    return body[:-2].split("\n\n")


AROUND = (
    'data: {"id":"chatcmpl-abc","object":"chat.completion.chunk","created":1767225600,'
    '"model":"fake-model","service_tier":"default","system_fingerprint":"fp_faultloop",'
)


def chunk(delta: str, finish: str = "null", usage: str = "") -> str:
    choice = f'{{"index":0,"delta":{delta},"logprobs":null,"finish_reason":{finish}}}'
    return f'{AROUND}"choices":[{choice}]{usage}}}'


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
        AROUND + '"choices":[],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0,'
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
    body = CHAT.whole(REPLY, FRAME).decode()

    assert body == WHOLE


def test_a_whole_reply_of_calls_alone_has_null_content():
    reply = Reply(id="abc", turn=0, step=1, text="", calls=CALLS, finish="tool_calls")

    message = json.loads(CHAT.whole(reply, FRAME))["choices"][0]["message"]

    assert message["content"] is None
    assert [*message] == ["role", "content", "tool_calls", "refusal", "annotations"]


def test_a_whole_reply_without_calls_has_no_field_for_them():
    message = json.loads(CHAT.whole(TALK, FRAME))["choices"][0]["message"]

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
