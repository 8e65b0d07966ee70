"""Evidence: all that a check may look at, and nothing else.

Checks are pure functions of this value, so a saved play can be judged again at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from faultloop.fakes.history import AnyEntry
from faultloop.fakes.ledger import Effect
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import Capabilities, Column


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One play, as the fakes saw it."""

    scenario: Scenario
    subject: str
    capabilities: Capabilities
    column: Column
    history: tuple[AnyEntry, ...]
    times_s: tuple[float, ...]
    ledger: tuple[Effect, ...]
    journal: Sequence[dict[str, Any]] | None = None
    """The loop's own journal where it offers one; the only evidence that is not ours."""
