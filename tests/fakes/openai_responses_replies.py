"""Replies and requests that the tests of Responses send."""

import json

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.dialects.openai_responses_request import read
from faultloop.fakes.reply import Delta, Reply, ReplyCall, pieces

RESPONSES = DIALECTS["openai_responses"]
CREATED_S = 1_767_225_600
FRAME = Frame(created_s=CREATED_S, model="fake-model")
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
KEY = {"authorization": "Bearer none"}
USER = {"role": "user", "content": "Go."}
FUNCTION = {"type": "function", "name": "read_file", "parameters": {"type": "object"}}
APPLY_PATCH = {"type": "custom", "name": "apply_patch", "description": "Patch files."}
LEDGER = {
    "type": "namespace",
    "name": "mcp__ledger",
    "description": "A ledger.",
    "tools": [{"type": "function", "name": "ledger_add", "parameters": {}}],
}


def body(*items: object, **more: object) -> bytes:
    return json.dumps({"model": "fake-model"} | {"input": items} | more).encode()


def parsed(*items: object, **more: object) -> Conversation:
    return read(KEY, body(*items, **more))


def framed(**request: object) -> Frame:
    """The frame of a reply to a request with these fields."""
    return FRAME._replace(echo=parsed(USER, **request).echo)


def reply(text: str = "", *calls: ReplyCall, finish: str = "stop") -> Reply:
    return Reply(id="abc", turn=0, step=1, text=text, calls=calls, finish=finish)


def spelt(said: Reply, deltas: list[Delta] | None = None, frame: Frame = FRAME) -> list[str]:
    """The events of a stream, each without its blank line."""
    spelling = RESPONSES.stream(said, frame)
    deltas = list(pieces(said)) if deltas is None else deltas
    text = b"".join(map(spelling.event, deltas)).decode()
    assert not text or text.endswith("\n\n")
    return text.split("\n\n")[:-1]


def data(said: Reply, deltas: list[Delta] | None = None, frame: Frame = FRAME) -> list[dict]:
    """The data of a stream's events, which say their own names in both places."""
    found = []
    for event in spelt(said, deltas, frame):
        name, _, rest = event.partition("\ndata: ")
        found.append(json.loads(rest))
        assert name == f"event: {found[-1]['type']}"
    return found
