"""The gateway before a tool gives up after the work was done: HTTP 504, and yet it happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayTimeoutAfterEffect(Fault):
    """The effect is applied and its answer is lost."""

    kind: Literal["gateway_timeout_after_effect"] = "gateway_timeout_after_effect"

    def gateway(self) -> Gateway:
        """Done, and the answer lost."""
        return Gateway(lose=504)
