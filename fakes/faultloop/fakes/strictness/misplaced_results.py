"""Results come first in the message that brings them."""

from __future__ import annotations

from itertools import pairwise

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.rule import Row, Rule, Words
from faultloop.fakes.strictness.turns import turns


def after_words(conversation: Conversation) -> Words | None:
    """The first turn in whose answer something stands before results."""
    said = turns(conversation)
    for turn, after in pairwise(said):
        if turn.calls and after.late_results:
            return {"at": turn.at, "ids": ", ".join(after.late_results)}
    return None


RULE = Rule(
    law="Results come first in the message that brings them.",
    rows={
        "anthropic_messages": Row(
            after_words,
            "messages.{at}: `tool_use` ids were found without `tool_result` blocks immediately "
            "after: {ids}. Each `tool_use` block must have a corresponding `tool_result` block in "
            "the next message.",
            "from memory of the documentation (Handle tool calls), which names this sentence",
        ),
    },
)
