"""Evidence: all that a check may look at, and nothing else.

Checks are pure functions of this value, so a saved play can be judged again at any time. What
several checks need to see in the same way (which reply a call came from, what the model was told
of it) is worked out once in `views`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from faultloop.fakes.history import AnyEntry
from faultloop.fakes.ledger import Effect
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import Capabilities, Column
from faultloop.scenarios.tool_facts import ToolFacts, tool_facts
from faultloop.scenarios.views import Views


@dataclass(frozen=True, kw_only=True)  # without slots: `cached_property` needs a __dict__
class Evidence:
    """One play, as the fakes saw it."""

    scenario: Scenario
    subject: str
    capabilities: Capabilities
    column: Column
    history: tuple[AnyEntry, ...]
    times_s: tuple[float, ...]
    """Seconds since the play began, one for each entry: virtual in sim, wall time in real."""
    ledger: tuple[Effect, ...]
    journal: Sequence[dict[str, Any]] | None = None
    """The loop's own journal where it offers one; the only evidence that is not ours."""

    @cached_property
    def views(self) -> Views:
        """The history, indexed."""
        return Views(self.history)

    @cached_property
    def tools(self) -> Mapping[str, ToolFacts]:
        """What the world declares of its tools, by name."""
        return tool_facts(self.scenario)

    def facts(self, tool: str) -> ToolFacts:
        """What the world declares of a tool; the careful side of one that it does not know."""
        return self.tools.get(tool) or ToolFacts(name=tool)

    @property
    def one_call_a_reply(self) -> bool:
        """Whether the subject allows the model no batches (`parallel_tool_calls: false`)."""
        asking = [exchange for exchange in self.views.exchanges if exchange.calls]
        return bool(asking) and all(exchange.requested.one_call for exchange in asking)

    @property
    def paired(self) -> bool:
        """Whether calls and results bear ids; a subject may write both as plain text."""
        return self.capabilities.pairing != "text"

    @property
    def remembers(self) -> bool:
        """Whether a restarted subject knows what it did before."""
        return self.capabilities.resume in ("session", "continue")
