"""What a reply means is read from its bytes, whole and streamed, also where it is odd or cut."""

from __future__ import annotations

import json
from typing import Any

import pytest

from faultloop.bench.recording.replies import meaning
from faultloop.bench.recording.replies.meaning import Meaning
from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.reply import Reply, ReplyCall, pieces
from faultloop.fakes.script import Finish

from .leaks import event

FRAME = Frame(created_s=1_767_225_600, model="m")
CALLS = (
    ReplyCall(id="call_1", tool="read_file", arguments='{"path":"ü b.txt"}'),
    ReplyCall(id="call_2", tool="list_files", arguments="{}"),
)


def reply(finish: Finish, calls: tuple[ReplyCall, ...] = ()) -> Reply:
    return Reply(
        id="9f2c",
        turn=0,
        step=1,
        text="Grüße,\n\N{GRINNING FACE}",
        calls=calls,
        finish=finish,
        prompt_tokens=12,
        completion_tokens=7,
    )


def body(dialect: str, said: Reply, *, streamed: bool) -> bytes:
    if not streamed:
        return DIALECTS[dialect].whole(said, FRAME)
    spelling = DIALECTS[dialect].stream(said, FRAME)
    return b"".join(spelling.event(delta) for delta in pieces(said))


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    "said",
    [reply("stop"), reply("tool_calls", CALLS), reply("length"), reply("content_filter")],
    ids=lambda said: said.finish,
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_reply_is_read_back(dialect: str, said: Reply, streamed: bool) -> None:
    meant = meaning(dialect, body(dialect, said, streamed=streamed), streamed=streamed)
    assert meant.id == DIALECTS[dialect].id_prefix + said.id
    assert [(one.id, one.tool, one.arguments) for one in meant.calls] == [
        (call.id, call.tool, call.arguments) for call in said.calls
    ]
    if (dialect, said.finish) != ("gemini", "content_filter") or meant.text:
        assert meant.text == said.text
    assert meant.finish == said.finish
    assert (meant.prompt_tokens, meant.completion_tokens) == (12, 7)


def anthropic(*blocks: Any) -> bytes:
    return json.dumps({"id": "msg_1", "content": blocks, "stop_reason": "end_turn"}).encode()


def chunk(delta: Any, finish: str | None = None) -> bytes:
    return event({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})


ODD: dict[str, tuple[str, bytes, bool, str, Finish | None]] = {
    "thoughts are no text": (
        "anthropic_messages",
        anthropic({"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Yes."}),
        False,
        "Yes.",
        "stop",
    ),
    "nor are Gemini's": (
        "gemini",
        json.dumps(
            {
                "candidates": [
                    {
                        "content": {"parts": [{"text": "hm", "thought": True}, {"text": "Yes."}]},
                        "finishReason": "STOP",
                    }
                ]
            }
        ).encode(),
        False,
        "Yes.",
        "stop",
    ),
    "an array that grew": (
        "gemini",
        b'[{"candidates":[{"content":{"parts":[{"text":"Ye"}]}}]}\n,\r\n'
        b'{"candidates":[{"content":{"parts":[{"text":"s."}]},"finishReason":"STOP"}]}\n]',
        True,
        "Yes.",
        "stop",
    ),
    "an array that broke off": (
        "gemini",
        b'[{"candidates":[{"content":{"parts":[{"text":"Ye"}]}}]},\n{"candidates":[{"cont',
        True,
        "Ye",
        None,
    ),
    "a stream that broke off": (
        "openai_chat",
        chunk({"content": "Ye"}) + b'data: {"choices":[{"ind',
        True,
        "Ye",
        None,
    ),
    "comments, lone carriage returns and odd events": (
        "openai_chat",
        b": hi\n\n" + chunk({"content": "Ye"}).replace(b"\n", b"\r") + b"event: x\ndata: []\n\n"
        b"data: 3\n\n" + chunk(None) + chunk({"content": "s."}, "stop") + b"data: [DONE]\n\n",
        True,
        "Yes.",
        "stop",
    ),
    "a response that broke off": (
        "openai_responses",
        event({"type": "response.created", "response": {"id": "resp_1"}})
        + event({"type": "response.output_text.delta", "delta": "Ye"}),
        True,
        "Ye",
        None,
    ),
    "a page": ("openai_chat", b"<html>502</html>", False, "", None),
    "no JSON object": ("anthropic_messages", b"[1, 2]", False, "", None),
    "other types than expected": (
        "openai_chat",
        b'{"id": 3, "choices": {"0": 1}, "usage": []}',
        False,
        "",
        None,
    ),
    "nothing": ("openai_responses", b"", True, "", None),
}


@pytest.mark.parametrize("case", ODD)
def test_what_is_odd_means_as_much_as_can_be_read(case: str) -> None:
    dialect, data, streamed, text, finish = ODD[case]
    meant: Meaning = meaning(dialect, data, streamed=streamed)
    assert (meant.text, meant.finish, meant.calls) == (text, finish, [])


def test_a_call_of_anthropic_without_arguments_streams_none() -> None:
    block = {"type": "tool_use", "id": "toolu_1", "name": "list_files", "input": {}}
    data = event({"type": "content_block_start", "index": 0, "content_block": block})
    (call,) = meaning("anthropic_messages", data, streamed=True).calls
    assert (call.id, call.tool, call.arguments) == ("toolu_1", "list_files", "{}")
