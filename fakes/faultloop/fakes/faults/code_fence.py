"""The model puts a Markdown code fence around its arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.last_call import last_call, with_arguments
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeFence(Fault):
    """The last call's arguments stand between three backticks and three backticks."""

    kind: Literal["code_fence"] = "code_fence"
    language: str = "json"
    """What the fence says of its content; may be empty."""

    def say(self, reply: Reply) -> Reply:
        """The same reply with its last arguments fenced."""
        call = last_call(reply)
        if call is None:
            return reply
        return with_arguments(reply, f"```{self.language}\n{call.arguments}\n```")
