"""The gateway before a tool gives up before the work began: HTTP 504, and nothing happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayTimeoutBeforeEffect(Fault):
    """A 504 without an effect; from outside it looks like the 504 after one."""

    kind: Literal["gateway_timeout_before_effect"] = "gateway_timeout_before_effect"

    def gateway(self) -> Gateway:
        """Refused before the work begins."""
        return Gateway(refuse=504)
