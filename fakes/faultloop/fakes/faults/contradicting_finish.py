"""The finish reason says something else than the reply: `stop` with calls, `tool_calls` without."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Reply
from faultloop.fakes.script import Finish


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictingFinish(Fault):
    """Only the finish reason is changed."""

    kind: Literal["contradicting_finish"] = "contradicting_finish"
    finish: Finish
    """The reason that is sent."""

    def say(self, reply: Reply) -> Reply:
        """The same reply with that finish reason."""
        return replace(reply, finish=self.finish)
