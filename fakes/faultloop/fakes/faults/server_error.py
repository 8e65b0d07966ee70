"""The provider breaks down: HTTP 500, in its own error format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, HttpFailure


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerError(Fault):
    """A 500 in place of the reply."""

    kind: Literal["server_error"] = "server_error"

    def answer(self) -> HttpFailure:
        """The 500, in the dialect's words."""
        return HttpFailure(status=500)
