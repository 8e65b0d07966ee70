"""The server takes the request and closes the connection without a word (TCP FIN)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.wire import Acts, Break


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedBeforeHeaders(Fault):
    """Not one byte comes, not even a status; the work may have been done or not."""

    kind: Literal["closed_before_headers"] = "closed_before_headers"

    def travel(self, acts: Acts) -> Acts:
        """The end of the connection and nothing else."""
        return (Break("closed"),)
