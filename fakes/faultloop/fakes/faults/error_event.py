"""The provider breaks off with an error, in the middle of a stream that began well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Item, ProviderError


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorEvent(Fault):
    """An error in the dialect's own form, and nothing after it; the HTTP status was 200."""

    kind: Literal["error_event"] = "error_event"
    after_deltas: int = 2
    """Deltas that arrive before it."""
    message: str = "The server is overloaded. Please try again later."
    """What it says."""

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The first deltas, then the error; unchanged if the stream is over before that."""
        if self.after_deltas >= len(items):
            return items
        return (*items[: self.after_deltas], ProviderError(self.message))
