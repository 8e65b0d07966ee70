"""The model says nothing at all: no text, no calls, and that it is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class EmptyAnswer(Fault):
    """An assistant message without content and finish reason `stop`."""

    kind: Literal["empty_answer"] = "empty_answer"

    def say(self, reply: Reply) -> Reply:
        """The reply without what it says."""
        return replace(reply, text="", calls=(), finish="stop")
