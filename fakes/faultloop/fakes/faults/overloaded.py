"""The provider has too much to do: HTTP 503, or what its API has for that (Anthropic: 529)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, HttpFailure


@dataclass(frozen=True, slots=True, kw_only=True)
class Overloaded(Fault):
    """A 503 or 529 in place of the reply, without a word about when to come again."""

    kind: Literal["overloaded"] = "overloaded"

    def answer(self) -> HttpFailure:
        """The refusal; its status and words are the dialect's."""
        return HttpFailure(status=503)
