"""Closing: how the model has the last word with a loop that ends only by a call.

Some loops offer a tool of their own whose call is the answer; a reply without calls is a mistake to
them. There the script's closing text is carried by a call of that tool. The history holds the text
as it was meant, because such a call is no work: nothing is to be run, answered or paired. What a
fault of the model made of the text is said as it is, since an answer that was cut, refused or left
empty is nobody's call.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple, Self

from msgspec.structs import replace

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.reply import Reply, ReplyCall

SPELLING = re.compile(r"([A-Za-z0-9_-]{1,64})\(([A-Za-z0-9_-]{1,64})\)")
"""`final_answer(answer)`: the tool, and the argument that holds the text."""


class TerminalTool(NamedTuple):
    """The tool of a subject's own whose call ends its turn."""

    name: str
    argument: str

    @classmethod
    def of(cls, spelt: str) -> Self:
        """From `NAME(ARGUMENT)`. Raises ValueError with a sentence for anything else."""
        found = SPELLING.fullmatch(spelt)
        if found is None:
            raise ValueError(
                f"{spelt!r} is not written as NAME(ARGUMENT), as in final_answer(answer)"
            )
        return cls(*found.groups())


def closes(reply: Reply, tool: TerminalTool | None, conversation: Conversation) -> bool:
    """Whether a reply is the last word of a turn to a request that takes it as a call."""
    is_last_word = bool(reply.text) and not reply.calls and reply.finish == "stop"
    is_open = tool is not None and tool.name in conversation.tools and conversation.may_call
    return is_last_word and is_open and not reply.is_refusal


def carried(reply: Reply, tool: TerminalTool, call_id: str) -> Reply:
    """The reply as a call of the terminal tool."""
    arguments = json.dumps({tool.argument: reply.text}, ensure_ascii=False, separators=(",", ":"))
    call = ReplyCall(id=call_id, tool=tool.name, arguments=arguments)
    return replace(reply, text="", calls=(call,), finish="tool_calls")
