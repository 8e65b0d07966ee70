"""What a strictness rule finds: the rejection that the real provider would send."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """A request that a real provider rejects for what its messages mean together."""

    rule: str
    """Name of the rule, as in the table RULES."""
    message: str
    """The provider's own sentence."""
    param: str | None
    code: str | None = None
    status: int = 400
