"""A tool's output holds half of a surrogate pair, as of a text that was cut in UTF-16."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class LoneSurrogates(Fault):
    """The JSON is well formed and escapes a code unit that no UTF-8 text can hold."""

    kind: Literal["lone_surrogates"] = "lone_surrogates"

    def gateway(self) -> Gateway:
        """Done, and not for encoding."""
        return Gateway(surrogate=True)
