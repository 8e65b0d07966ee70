"""The model is cut off by its token limit in the middle of its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class TruncatedText(Fault):
    """The text stops early, its calls are not said, the finish reason is `length`."""

    kind: Literal["truncated_text"] = "truncated_text"
    keep_chars: int | None = None
    """Characters of the text that are still said; None: half of them."""

    def say(self, reply: Reply) -> Reply:
        """The beginning of the text, without calls."""
        if not reply.text:
            return reply
        keep = len(reply.text) // 2 if self.keep_chars is None else self.keep_chars
        return replace(reply, text=reply.text[:keep], calls=(), finish="length")
