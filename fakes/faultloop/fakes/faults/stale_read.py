"""A read is answered by a copy that has not seen the last effect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleRead(Fault):
    """The answer of a tool that only reads is what it would have been before the last effect on its
    own part of the world (files, CI, ...)."""

    kind: Literal["stale_read"] = "stale_read"

    def gateway(self) -> Gateway:
        """Read where the last effect has not come yet."""
        return Gateway(stale=True)
