"""The model is cut off by its token limit in the middle of a call's arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.last_call import last_call, with_arguments
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class TruncatedArguments(Fault):
    """The last call's arguments stop early and the finish reason is `length`."""

    kind: Literal["truncated_arguments"] = "truncated_arguments"
    keep_chars: int | None = None
    """Characters of the arguments that are still said; None: half of them."""

    def say(self, reply: Reply) -> Reply:
        """The same reply, cut within its last call; calls before it stay whole."""
        call = last_call(reply)
        if call is None:
            return reply
        keep = len(call.arguments) // 2 if self.keep_chars is None else self.keep_chars
        return replace(with_arguments(reply, call.arguments[:keep]), finish="length")
