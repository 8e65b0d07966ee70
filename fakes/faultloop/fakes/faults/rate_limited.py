"""The provider refuses for now: HTTP 429, with Retry-After."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, HttpFailure


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimited(Fault):
    """A 429 in place of the reply."""

    kind: Literal["rate_limited"] = "rate_limited"
    retry_after_s: float = 1.0
    """Seconds to wait, told as the dialect tells it: in a header (`retry-after`) or in the body."""

    def answer(self) -> HttpFailure:
        """The 429, in the dialect's words."""
        return HttpFailure(status=429, retry_after_s=self.retry_after_s)
