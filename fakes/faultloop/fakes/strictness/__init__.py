"""Strictness: what a real provider rejects, one rule a file. `RULES` is the table of all there are.

Other fakes accept what no provider accepts, and so hide the most common failure of agent loops: a
conversation that is damaged once and rejected ever after. Rules read a `Conversation` and know no
wire format; shapes that cannot be read at all are the dialect's to reject.
"""

from __future__ import annotations

from collections.abc import Callable

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness import (
    duplicate_calls,
    duplicate_results,
    object_arguments,
    orphan_results,
    unpaired_calls,
)
from faultloop.fakes.strictness.violation import Violation

Rule = Callable[[Conversation], Violation | None]

RULES: dict[str, Rule] = {
    object_arguments.RULE: object_arguments.judge,
    duplicate_calls.RULE: duplicate_calls.judge,
    unpaired_calls.RULE: unpaired_calls.judge,
    orphan_results.RULE: orphan_results.judge,
    duplicate_results.RULE: duplicate_results.judge,
}
"""Rule by its name, in the order in which they are asked: the first that objects answers."""


def judge(conversation: Conversation) -> Violation | None:
    """The rejection that a request has earned, or None."""
    for rule in RULES.values():
        violation = rule(conversation)
        if violation is not None:
            return violation
    return None


__all__ = ["RULES", "Violation", "judge"]
