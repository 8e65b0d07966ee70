"""The answer to a call arrives twice, as from a proxy that sends on again what it sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDeliveredTwice(Fault):
    """Over HTTP its body holds it two times, one a line; over MCP two messages bear the same id."""

    kind: Literal["answer_delivered_twice"] = "answer_delivered_twice"

    def gateway(self) -> Gateway:
        """Done once, and told two times."""
        return Gateway(copies=2)
