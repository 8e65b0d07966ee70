"""The ledger: ground truth of every side effect in the fake world.

Written in the same breath as the effect itself, by the world and nobody else. Checks count here,
not in what a subject or a tool result says.
"""

from __future__ import annotations

import msgspec


class Effect(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One change in the fake world that really happened."""

    number: int
    position: int
    """Position in the history of its `EffectApplied`."""
    start: int
    invocation: int
    tool: str
    arguments: str
    """Canonical JSON (sorted keys, no spaces) of what was applied."""
    what: str
    """A sentence for people: `appended 1 line to notes.txt`."""
    call_id: str | None = None
    key: str | None = None


class Ledger:
    """Effects in the order in which they happened."""

    def __init__(self) -> None:
        self.effects: list[Effect] = []

    def __len__(self) -> int:
        return len(self.effects)
