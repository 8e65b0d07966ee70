"""A tool gives the first part of a long output, and a cursor to ask on with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class TruncatedOutput(Fault):
    """The result says that it is cut and how to go on; the tool takes a `cursor` for the rest."""

    kind: Literal["truncated_output"] = "truncated_output"
    chars: int = 200
    """How many characters a piece has at most."""

    def gateway(self) -> Gateway:
        """Cut, and says so."""
        return Gateway(cut_chars=self.chars)
