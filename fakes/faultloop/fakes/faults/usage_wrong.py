"""A stream counts tokens as nobody can have used them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Item, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageWrong(Fault):
    """Below nothing, or beyond what a number can hold."""

    kind: Literal["usage_wrong"] = "usage_wrong"
    prompt_tokens: int = -1
    """What is said of the request."""
    completion_tokens: int = 2**63 - 1
    """What is said of the reply."""

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same with those counts; unchanged where there are none."""
        return tuple(
            Usage(self.prompt_tokens, self.completion_tokens) if isinstance(item, Usage) else item
            for item in items
        )
