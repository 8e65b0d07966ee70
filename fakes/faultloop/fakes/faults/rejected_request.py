"""The provider rejects a request for good: HTTP 400 by default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, HttpFailure


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedRequest(Fault):
    """A 4xx in place of the reply that no repetition of the same request will mend."""

    kind: Literal["rejected_request"] = "rejected_request"
    status: Literal[400, 401, 403, 404, 413, 422] = 400
    """HTTP status."""
    message: str = ""
    """What it says; left out, what the dialect says with this status."""
    code: str | None = None
    """The error code beside a message that is given."""

    def answer(self) -> HttpFailure:
        """The rejection."""
        return HttpFailure(status=self.status, code=self.code, message=self.message)
