"""A call is delivered twice, as by a proxy that repeats what it saw no answer to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestDeliveredTwice(Fault):
    """It runs two times, unless it knows the second by its idempotency key; the first answers."""

    kind: Literal["request_delivered_twice"] = "request_delivered_twice"

    def gateway(self) -> Gateway:
        """Done two times."""
        return Gateway(twice=True)
