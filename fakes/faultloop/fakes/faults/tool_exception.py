"""A tool fails with an exception of its own before it changes anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolException(Fault):
    """HTTP 500 TOOL_FAILED, no effect."""

    kind: Literal["tool_exception"] = "tool_exception"
    message: str = "connection pool exhausted"
    """What the exception says."""

    def gateway(self) -> Gateway:
        """It raises before its effect."""
        return Gateway(raises=self.message)
