"""Replies and requests that the tests of Anthropic Messages send."""

import json
from types import MappingProxyType
from typing import Any

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import Frame, HttpRequest
from faultloop.fakes.reply import Reply, ReplyCall, pieces

MESSAGES = DIALECTS["anthropic_messages"]
FRAME = Frame(created_s=1_767_225_600, model="claude-fake")
CALLS = (
    ReplyCall(id="call_1", tool="read_file", arguments='{"path": "a.txt"}'),
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

CACHED = {"cache_control": {"type": "ephemeral"}}
USER = {"role": "user", "content": "Go."}
HEADERS = {"x-api-key": "none", "anthropic-version": "2023-06-01"}
REPLIES, COUNTS, MODELS, _MODEL = MESSAGES.routes


def events(reply: Reply, deltas: Any = None) -> list[str]:
    """The events of a stream, each with its two lines."""
    spelling = MESSAGES.stream(reply, FRAME)
    body = b"".join(map(spelling.event, pieces(reply) if deltas is None else deltas)).decode()
    assert not body or body.endswith("\n\n")
    return body.split("\n\n")[:-1]


def http(body: bytes, headers: dict[str, str] = HEADERS, route: Any = REPLIES) -> HttpRequest:
    return HttpRequest(route, route.path, {}, MappingProxyType(headers), body, {})


def read(body: bytes) -> Conversation:
    return MESSAGES.parse(http(body))


def request(*messages: object, **more: object) -> bytes:
    fields = {"model": "m", "max_tokens": 1024, "messages": messages, **more}
    return json.dumps({name: value for name, value in fields.items() if value != "-"}).encode()


def tool(name: str = "read_file", **more: object) -> dict[str, object]:
    return {"name": name, "input_schema": {"type": "object", "properties": {}}, **more}


def text(said: str, **more: object) -> dict[str, object]:
    return {"type": "text", "text": said, **more}


def use(id_: str = "toolu_1", name: str = "read_file", **more: object) -> dict[str, object]:
    return {"type": "tool_use", "id": id_, "name": name, "input": {"path": "a"}, **more}


def result(id_: str = "toolu_1", content: object = "ok", **more: object) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": id_, "content": content, **more}


def user(*blocks: object) -> dict[str, object]:
    return {"role": "user", "content": blocks}


def said(*blocks: object) -> dict[str, object]:
    return {"role": "assistant", "content": blocks}
