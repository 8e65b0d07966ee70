"""What of a call a client gets, and what of it stands in the history."""

from __future__ import annotations

import json
from typing import Any

import pytest

from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import Replied, ReplyClosed
from faultloop.fakes.hosting import HostedScript, Hosting, HostThread
from faultloop.fakes.reply import Reply, ReplyCall
from faultloop.fakes.script import ScriptedCall, Step

from .sdk_loops import NAME, SCHEMA

GOOD = '{"path":"a.txt"}'
CUT = '{"path":"a.txt","line":"a'
TWO = '{"path":"a.txt"}{"path":"b.txt"}'


def call(arguments: str) -> ReplyCall:
    return ReplyCall(id="call_1", tool=NAME, arguments=arguments)


@pytest.mark.parametrize("streamed", [True, False])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_proper_arguments_are_told_as_they_are(dialect: str, streamed: bool) -> None:
    assert DIALECTS[dialect].told(call(GOOD), streamed=streamed) == GOOD


@pytest.mark.parametrize("arguments", [GOOD, CUT, TWO, "", "{'path': 1}", "[1]"])
def test_a_whole_message_of_anthropic_holds_what_is_told_of_it(arguments: str) -> None:
    dialect = DIALECTS["anthropic_messages"]
    reply = Reply(id="r", turn=0, step=1, text="", calls=(call(arguments),), finish="tool_calls")
    whole = json.loads(dialect.whole(reply, Frame(created_s=0, model="m")))
    told = dialect.told(call(arguments), streamed=False)
    assert json.loads(told) == whole["content"][0]["input"]


def test_a_stream_of_anthropic_tells_the_text_itself_but_for_no_text() -> None:
    dialect = DIALECTS["anthropic_messages"]
    assert [dialect.told(call(text), streamed=True) for text in (CUT, TWO, "")] == [CUT, TWO, "{}"]


def replied(kind: str, dialect: str, path: str, body: dict[str, Any]) -> tuple[Replied, Any]:
    """The reply to one request, with a fault, and how it ended."""
    httpx = pytest.importorskip("httpx")
    step = Step(calls=(ScriptedCall.of(NAME, {"path": "a.txt"}),))
    fault = KINDS[kind](at="step 1")
    script = HostedScript(name="told", steps=(step,), faults=(fault,))
    with HostThread(Hosting(script)) as host:
        url = host.base_urls().of(dialect) + path
        headers = {"x-api-key": "k", "anthropic-version": "2023-06-01", "x-goog-api-key": "k"}
        answer = httpx.post(url, json=body, headers=headers, trust_env=False)
        assert answer.status_code == 200, answer.text
        history = host.ask(lambda hosting: tuple(hosting.seen("default").stage.history))
    (said,) = [entry for entry in history if isinstance(entry, Replied)]
    (closed,) = [entry for entry in history if isinstance(entry, ReplyClosed)]
    return said, closed


def test_a_call_that_gemini_cannot_say_reached_nobody() -> None:
    said, closed = replied(
        "python_literal",
        "gemini",
        "/v1beta/models/m:generateContent",
        {
            "contents": [{"role": "user", "parts": [{"text": "Go."}]}],
            "tools": [{"functionDeclarations": [{"name": NAME, "parameters": SCHEMA}]}],
        },
    )
    (made,) = said.calls
    assert (made.is_unsaid, made.arguments) == (True, "{'path': 'a.txt'}")
    assert closed.calls_complete == ()


def test_of_glued_objects_a_whole_message_of_anthropic_holds_the_first() -> None:
    said, _ = replied(
        "trailing_prose",
        "anthropic_messages",
        "/v1/messages",
        {
            "model": "m",
            "max_tokens": 99,
            "messages": [{"role": "user", "content": "Go."}],
            "tools": [{"name": NAME, "input_schema": SCHEMA}],
        },
    )
    (made,) = said.calls
    assert (made.is_unsaid, made.arguments, made.intended) == (False, GOOD, GOOD)
