"""A tool never answers and never does its work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolHang(Fault):
    """Silence until the client lets go; no effect."""

    kind: Literal["tool_hang"] = "tool_hang"

    def gateway(self) -> Gateway:
        """Neither effect nor answer."""
        return Gateway(hang=True)
