"""The parameters of a tool change between two listings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Drift, Fault, Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaDrift(Fault):
    """A listing after the first, and each call from the place on, finds the new form; the old one
    is refused with a sentence that says what changed."""

    kind: Literal["schema_drift"] = "schema_drift"
    parameter: str
    """The parameter that changes."""
    renamed: str | None = None
    """Its new name; left out, it keeps its name and has to be given from now on."""

    @property
    def drift(self) -> Drift:
        """What changes."""
        return Drift(self.parameter, self.renamed)

    def gateway(self) -> Gateway:
        """Another form from here on."""
        return Gateway(drift=self.drift)
