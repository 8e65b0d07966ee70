"""A tool takes long and cannot be stopped: letting go of it does not keep it from its effect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class NotCancellable(Fault):
    """Held at the gate and deaf: the effect happens when the gate opens, whoever still listens."""

    kind: Literal["not_cancellable"] = "not_cancellable"

    def gateway(self) -> Gateway:
        """Held, and deaf to whoever lets go."""
        return Gateway(hold=True, deaf=True)
