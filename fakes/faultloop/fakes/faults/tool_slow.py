"""A tool takes long: it is held before its effect until the bench lets it go on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSlow(Fault):
    """Held at the gate; it stops, without an effect, if the client lets go."""

    kind: Literal["tool_slow"] = "tool_slow"

    def gateway(self) -> Gateway:
        """Held at the gate."""
        return Gateway(hold=True)
