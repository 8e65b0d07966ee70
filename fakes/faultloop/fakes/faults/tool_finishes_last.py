"""A tool finishes last of all that the loop runs beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFinishesLast(Fault):
    """Held, before its effect, until the other calls of its batch are over or clearly do not come.

    So whatever a loop runs side by side is seen side by side, and completes in another order than
    the model's. A loop that runs one call after the other loses 0.5 s by it.
    """

    kind: Literal["tool_finishes_last"] = "tool_finishes_last"

    def gateway(self) -> Gateway:
        """Held for company."""
        return Gateway(last=True)
