"""The gateway before the provider gives up: HTTP 504, an HTML page but for Gemini."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, HttpFailure
from faultloop.fakes.gateway import gateway_page


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayTimeout(Fault):
    """A 504 in place of the reply."""

    kind: Literal["gateway_timeout"] = "gateway_timeout"

    def answer(self) -> HttpFailure:
        """The 504 of a gateway that knows nothing of the provider's error format."""
        return HttpFailure(status=504, page=gateway_page(504))
