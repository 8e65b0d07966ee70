"""Gemini to the byte: replies and failures against literals."""

import json

import pytest
from msgspec.structs import replace

from faultloop.fakes.dialects.gemini_json import compact
from faultloop.fakes.reply import EndMark, Opened, Usage

from .gemini_replies import (
    CALLS,
    FRAME,
    GEMINI,
    REPLY,
    TALK,
    array,
    assembled,
    events,
    streamed,
)

SIGNATURE = "EglmYXVsdGxvb3BjYWxsXzEKY2FsbF8y"


def usage(completion: int) -> str:
    return (
        f'"usageMetadata": {{"promptTokenCount": 12,"candidatesTokenCount": {completion},'
        f'"totalTokenCount": {12 + completion},'
        '"promptTokensDetails": [{"modality": "TEXT","tokenCount": 12}],'
        '"serviceTier": "standard"}'
    )


def event(candidate: str, completion: int) -> str:
    return (
        f'data: {{"candidates": [{candidate}],{usage(completion)},'
        '"modelVersion": "fake-model","responseId": "abc"}\r\n\r\n'
    )


def says(part: str, finish: str = "") -> str:
    return f'{{"content": {{"parts": [{part}],"role": "model"}},{finish}"index": 0}}'


def test_a_stream_is_the_published_one_to_the_byte():
    assert streamed(REPLY).decode() == "".join(
        (
            event(says('{"text": "I look."}'), 2),
            event(
                says(
                    '{"functionCall": {"name": "read_file","args": {"path": "a.txt"},'
                    f'"id": "call_1"}},"thoughtSignature": "{SIGNATURE}"}}'
                ),
                7,
            ),
            event(
                says('{"functionCall": {"name": "list_files","args": {},"id": "call_2"}}'),
                7,
            ),
            event(says('{"text": ""}', '"finishReason": "STOP",'), 7),
        )
    )


def test_nothing_opens_a_stream_and_nothing_ends_it():
    spelling = GEMINI.stream(REPLY, FRAME)

    assert (spelling.event(Opened()), spelling.event(EndMark())) == (b"", b"")


def test_counts_that_no_chunk_has_told_come_in_one_of_their_own():
    spelling = GEMINI.stream(REPLY, FRAME)

    assert events(spelling.event(Usage(12, 99))) == [
        {
            "usageMetadata": {
                "promptTokenCount": 12,
                "candidatesTokenCount": 99,
                "totalTokenCount": 111,
                "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 12}],
                "serviceTier": "standard",
            },
            "modelVersion": "fake-model",
            "responseId": "abc",
        }
    ]
    assert spelling.event(Usage(12, 99)) == b""


def test_a_whole_reply_is_the_published_one_to_the_byte():
    assert GEMINI.whole(REPLY, FRAME).decode() == WHOLE


def test_what_is_zero_is_left_out():
    assert GEMINI.whole(TALK, FRAME).decode() == TALK_WHOLE


def test_without_events_a_stream_is_a_json_array_that_grows():
    one = replace(TALK, text="A")
    body = streamed(one, array()).decode()

    assert (
        body
        == "["
        + ELEMENT.replace("%", '"text": "A"', 1).replace("&", "")
        + "\n,\r\n"
        + (ELEMENT.replace("%", '"text": ""').replace("&", '"finishReason": "STOP",\n      '))
        + "\n]\n"
    )
    assert len(json.loads(body)) == 2


def test_an_array_says_the_same_as_events():
    assert json.loads(streamed(REPLY, array())) == events(streamed(REPLY))


def test_an_array_of_nothing_is_one():
    assert array().stream(REPLY, FRAME).event(EndMark()) == b"[]\n"


@pytest.mark.parametrize(
    ("text", "spelt"),
    [
        ("a<b>c", '"a\\u003cb\\u003ec"'),
        ("Grüß 'dich' & = \U0001f600", "\"Grüß 'dich' & = \U0001f600\""),
        ('"\\\n\t\x01\x7f', '"\\"\\\\\\n\\t\\u0001\\u007f"'),
        ("\u200b\u2028\ufeff\xad", '"\\u200b\\u2028\\ufeff\\u00ad"'),
        ("half \ud83d", '"half \ufffd"'),
        ({"a": [1, {}], "b": []}, '{"a": [1,{}],"b": []}'),
    ],
)
def test_text_is_escaped_as_protobuf_escapes_it(text, spelt):
    assert compact(text) == spelt


@pytest.mark.parametrize(
    ("finish", "reason"),
    [
        ("stop", "STOP"),
        ("tool_calls", "STOP"),
        ("length", "MAX_TOKENS"),
        ("content_filter", "SAFETY"),
    ],
)
def test_each_finish_has_its_reason_whole_and_streamed(finish, reason):
    reply = replace(REPLY, finish=finish, completion_tokens=50)
    whole = json.loads(GEMINI.whole(reply, FRAME))
    seen = assembled(events(streamed(reply)))

    assert whole["candidates"][0]["finishReason"] == seen["finish"] == reason
    assert whole["usageMetadata"] == seen["usage"]
    assert seen["usage"]["candidatesTokenCount"] == 50
    assert ("safetyRatings" in whole["candidates"][0]) == (reason == "SAFETY")


def test_what_safety_stops_ends_without_content():
    blocked = replace(TALK, text="", finish="content_filter")

    for response in (json.loads(GEMINI.whole(blocked, FRAME)), *events(streamed(blocked))):
        candidate = response["candidates"][0]
        assert "content" not in candidate
        assert [rating["category"] for rating in candidate["safetyRatings"] if "blocked" in rating]


@pytest.mark.parametrize("finish", ["stop", "tool_calls", "length", "content_filter"])
@pytest.mark.parametrize("text", ["", "I look."])
@pytest.mark.parametrize("calls", [(), CALLS[:1], CALLS])
def test_streamed_equals_whole(finish, text, calls):
    reply = replace(REPLY, finish=finish, text=text, calls=calls)

    whole = assembled([json.loads(GEMINI.whole(reply, FRAME))])

    assert assembled(events(streamed(reply))) == whole


def test_content_types_tell_a_stream_of_events_from_json():
    def content_type(dialect, *, streamed: bool) -> tuple[str, str]:
        return dialect.headers(streamed=streamed, reply_id="abc")[0]

    json_type = ("content-type", "application/json; charset=UTF-8")
    assert content_type(GEMINI, streamed=True) == ("content-type", "text/event-stream")
    assert content_type(GEMINI, streamed=False) == json_type
    assert content_type(array(), streamed=True) == json_type


@pytest.mark.parametrize(
    ("status", "code", "name"),
    [
        (400, None, "INVALID_ARGUMENT"),
        (400, "FAILED_PRECONDITION", "FAILED_PRECONDITION"),
        (400, "invalid_prompt", "INVALID_ARGUMENT"),
        (401, None, "UNAUTHENTICATED"),
        (403, None, "PERMISSION_DENIED"),
        (404, None, "NOT_FOUND"),
        (413, None, "FAILED_PRECONDITION"),
        (500, None, "INTERNAL"),
        (502, None, "INTERNAL"),
        (503, None, "UNAVAILABLE"),
        (504, None, "DEADLINE_EXCEEDED"),
    ],
)
def test_a_failure_has_the_canonical_status_of_its_code(status, code, name):
    body = GEMINI.error(status=status, code=code, message="No.").decode()

    assert body == (
        f'{{\n  "error": {{\n    "code": {status},\n    "message": "No.",\n'
        f'    "status": "{name}"\n  }}\n}}\n'
    )


@pytest.mark.parametrize(
    ("seconds", "delay"), [(26.0, "26s"), (0.5, "0.500s"), (1.25, "1.250s"), (0.0001, "0.000100s")]
)
def test_when_to_come_again_is_told_in_the_body_and_in_no_header(seconds, delay):
    body = json.loads(GEMINI.error(status=429, code="x", message="Slow.", retry_after_s=seconds))

    assert body["error"]["status"] == "RESOURCE_EXHAUSTED"
    assert body["error"]["details"][-1] == {
        "@type": "type.googleapis.com/google.rpc.RetryInfo",
        "retryDelay": delay,
    }
    headers = dict(GEMINI.error_headers(status=429, retry_after_s=seconds))
    assert "retry-after" not in headers
    assert headers["content-type"] == "application/json; charset=UTF-8"


def test_where_streams_are_arrays_failures_are_too():
    body = array().error(status=400, code=None, message="No.").decode()

    assert body == (
        '[{\n  "error": {\n    "code": 400,\n    "message": "No.",\n'
        '    "status": "INVALID_ARGUMENT"\n  }\n}\n]\n'
    )


WHOLE = """{
  "candidates": [
    {
      "content": {
        "parts": [
          {
            "text": "I look."
          },
          {
            "functionCall": {
              "name": "read_file",
              "args": {
                "path": "a.txt"
              },
              "id": "call_1"
            },
            "thoughtSignature": "EglmYXVsdGxvb3BjYWxsXzEKY2FsbF8y"
          },
          {
            "functionCall": {
              "name": "list_files",
              "args": {},
              "id": "call_2"
            }
          }
        ],
        "role": "model"
      },
      "finishReason": "STOP",
      "index": 0
    }
  ],
  "usageMetadata": {
    "promptTokenCount": 12,
    "candidatesTokenCount": 7,
    "totalTokenCount": 19,
    "promptTokensDetails": [
      {
        "modality": "TEXT",
        "tokenCount": 12
      }
    ],
    "serviceTier": "standard"
  },
  "modelVersion": "fake-model",
  "responseId": "abc"
}
"""

TALK_WHOLE = """{
  "candidates": [
    {
      "content": {
        "parts": [
          {
            "text": "Grüß dich, \\u003cdu\\u003e."
          }
        ],
        "role": "model"
      },
      "finishReason": "STOP",
      "index": 0
    }
  ],
  "usageMetadata": {
    "serviceTier": "standard"
  },
  "modelVersion": "fake-model",
  "responseId": "abc"
}
"""

ELEMENT = """{
  "candidates": [
    {
      "content": {
        "parts": [
          {
            %
          }
        ],
        "role": "model"
      },
      &"index": 0
    }
  ],
  "usageMetadata": {
    "serviceTier": "standard"
  },
  "modelVersion": "fake-model",
  "responseId": "abc"
}"""
