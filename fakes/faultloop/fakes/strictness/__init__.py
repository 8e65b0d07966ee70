"""Strictness: what a real provider rejects, one rule a file. `RULES` is the table of all there are.

Other fakes accept what no provider accepts, and so hide the most common failure of agent loops: a
conversation that is damaged once and rejected ever after. Rules read a `Conversation` and know no
wire format; shapes that cannot be read at all are the dialect's to reject.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness import (
    call_turns,
    context_overflow,
    duplicate_calls,
    duplicate_results,
    last_message,
    misplaced_results,
    object_arguments,
    orphan_results,
    output_overflow,
    reasoning_followed,
    reasoning_kept,
    reused_calls,
    strict_schemas,
    thinking_first,
    thinking_kept,
    thinking_signatures,
    thought_signatures,
    tool_count,
    trailing_space,
    unpaired_calls,
)
from faultloop.fakes.strictness.levels import REAL, Level, RuleName, Strictness
from faultloop.fakes.strictness.rule import Row, Rule, Violation

RULES: dict[RuleName, Rule] = {
    "object_arguments": object_arguments.RULE,
    "duplicate_calls": duplicate_calls.RULE,
    "unpaired_calls": unpaired_calls.RULE,
    "orphan_results": orphan_results.RULE,
    "duplicate_results": duplicate_results.RULE,
    "reused_calls": reused_calls.RULE,
    "misplaced_results": misplaced_results.RULE,
    "call_turns": call_turns.RULE,
    "thought_signatures": thought_signatures.RULE,
    "thinking_signatures": thinking_signatures.RULE,
    "thinking_kept": thinking_kept.RULE,
    "thinking_first": thinking_first.RULE,
    "reasoning_kept": reasoning_kept.RULE,
    "reasoning_followed": reasoning_followed.RULE,
    "last_message": last_message.RULE,
    "trailing_space": trailing_space.RULE,
    "tool_count": tool_count.RULE,
    "strict_schemas": strict_schemas.RULE,
    "context_overflow": context_overflow.RULE,
    "output_overflow": output_overflow.RULE,
}
"""Rule by its name, in the order in which they are asked: the first that objects answers."""

_WINDOWED = {
    "context_overflow": context_overflow.within,
    "output_overflow": output_overflow.within,
}


class Asked(NamedTuple):
    """A rule as one API keeps it."""

    rule: RuleName
    row: Row


def judge(
    conversation: Conversation, dialect: str = "openai_chat", strictness: Strictness = REAL
) -> Violation | None:
    """The rejection that a request of this dialect has earned, or None."""
    return breach(conversation, asked(dialect, strictness))


def breach(conversation: Conversation, rules: tuple[Asked, ...]) -> Violation | None:
    """The first of these rules' rejections that a request has earned, or None."""
    for rule, row in rules:
        words = row.find(conversation)
        if words is not None:
            return row.violation(rule, words)
    return None


@lru_cache(maxsize=64)
def asked(dialect: str, strictness: Strictness) -> tuple[Asked, ...]:
    """What is asked of each request, in this order."""
    return tuple(
        Asked(name, _row(name, rule.rows[dialect], strictness))
        for name, rule in RULES.items()
        if dialect in rule.rows
        and name not in strictness.off
        and _is_kept(rule, rule.rows[dialect], strictness.level)
    )


def _is_kept(rule: Rule, row: Row, level: Level) -> bool:
    match level:
        case "real":
            return not row.by_others
        case "strict":
            return True
        case "lenient":
            return bool(rule.local)


def _row(name: RuleName, row: Row, strictness: Strictness) -> Row:
    if strictness.context_tokens is None or name not in _WINDOWED:
        return row
    return _WINDOWED[name](row, strictness.context_tokens)


__all__ = ["REAL", "RULES", "Asked", "Strictness", "Violation", "asked", "breach", "judge"]
