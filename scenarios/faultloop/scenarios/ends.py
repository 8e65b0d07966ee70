"""Ends: the words for why a turn ended, and the exits of a process that was interrupted.

The one place on this side of the wire; the loop has its own, since the two never import each other.
"""

from __future__ import annotations

import signal
from typing import Literal, get_args

EndReason = Literal[
    "completed",
    "blocked",
    "max_tokens",
    "max_steps",
    "timeout",
    "token_budget",
    "cost_budget",
    "aborted",
    "error",
    "interrupted",
]
"""SPEC L11."""

END_REASONS: frozenset[str] = frozenset(get_args(EndReason))
"""The same, to look up."""

INTERRUPT_EXITS = frozenset({-signal.SIGINT, 128 + signal.SIGINT})
"""Death by SIGINT, and how shells and polite programs spell it."""
