"""The model refuses: where the dialect has words of its own for that, in those."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRefusal(Fault):
    """In place of the reply its `refusal` (OpenAI) or stop reason `refusal` (Anthropic); text
    elsewhere."""

    kind: Literal["refusal"] = "refusal"
    text: str = "I'm sorry, but I can't help with that."
    """What it says."""

    def say(self, reply: Reply) -> Reply:
        """The refusal."""
        return replace(reply, text=self.text, calls=(), finish="stop", is_refusal=True)
