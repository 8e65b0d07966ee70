"""A tool returns bytes that are no text, as where a picture is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class BinaryOutput(Fault):
    """Over HTTP they are the body (`application/octet-stream`), over MCP a resource with a blob."""

    kind: Literal["binary_output"] = "binary_output"
    bytes: int = 600
    """How many."""

    def gateway(self) -> Gateway:
        """Done, and not for reading."""
        return Gateway(binary_bytes=self.bytes)
