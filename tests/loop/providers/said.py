"""One conversation with everything in it, to be spelt in each dialect."""

from __future__ import annotations

from faultloop.loop.message import AssistantMessage, Call, Notice, ResultMessage, UserMessage

from .wire import request

CONVERSATION = (
    UserMessage(id="u1", text="hello"),
    AssistantMessage(
        id="m1",
        text="Both.",
        calls=(
            Call(id="a", name="read_file", arguments='{"path": "x"}'),
            Call(id="call:1", name="functions.read file", arguments='{"path": "y'),
        ),
    ),
    ResultMessage(call_id="a", content="text of x", ok=True),
    ResultMessage(call_id="call:1", content="not valid JSON", ok=False),
    Notice(text="The user stopped you here."),
    UserMessage(id="u2", text="go on"),
    AssistantMessage(id="m2", text=""),
    AssistantMessage(id="m3", text="", calls=(Call(id="b", name="now", arguments=""),)),
    ResultMessage(call_id="b", content="", ok=False),
)

ASKED = request(messages=CONVERSATION, output_tokens_max=77, temperature=0.5, seed=7)

BARE = request(messages=CONVERSATION[:1], system="", tools=(), stream=False)

SAFE_ID = "call_1_8af2db2239c21138"
"""What becomes of `call:1`."""
