"""Replies that the tests of Chat Completions send."""

from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.reply import Reply, ReplyCall

CHAT = DIALECTS["openai_chat"]
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
USER = {"role": "user", "content": "Go."}
