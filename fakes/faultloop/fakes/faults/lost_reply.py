"""A tool did its work, and the connection dies before its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class LostReply(Fault):
    """The effect is applied; the connection is reset without a byte of an answer."""

    kind: Literal["lost_reply"] = "lost_reply"

    def gateway(self) -> Gateway:
        """Done, and nobody is told."""
        return Gateway(drops=True)
