"""The model writes a call into its text instead of making it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.last_call import compact, last_call
from faultloop.fakes.reply import Reply

Style = Literal["tool_call", "fence", "tag"]

_STYLES: Mapping[Style, str] = MappingProxyType(
    {
        "tool_call": '<tool_call>\n{{"name":{name},"arguments":{arguments}}}\n</tool_call>',
        "fence": '```json\n{{"name":{name},"arguments":{arguments}}}\n```',
        "tag": "<function={tool}>{arguments}</function>",
    }
)
"""As Hermes, Qwen and their like; as models without tool training; as Llama."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainTextCall(Fault):
    """The last call stands in the text, and in no call item; without others, the reply is over."""

    kind: Literal["plain_text_call"] = "plain_text_call"
    style: Style = "tool_call"
    """How it is written."""

    def say(self, reply: Reply) -> Reply:
        """The same reply with its last call in its text."""
        call = last_call(reply)
        if call is None:
            return reply
        said = _STYLES[self.style].format(
            name=compact(call.tool), tool=call.tool, arguments=call.arguments
        )
        calls = reply.calls[:-1]
        text = f"{reply.text}\n{said}" if reply.text else said
        return replace(reply, text=text, calls=calls, finish=reply.finish if calls else "stop")
