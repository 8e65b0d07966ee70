"""Thinking comes back with the signature that was put on it."""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.signing import Seal
from faultloop.fakes.strictness.rule import Row, Rule, Words
from faultloop.fakes.strictness.thought_blocks import seals


def foreign(conversation: Conversation) -> Words | None:
    """The first thinking whose signature is none of ours, or of another thought."""
    for message, number, seal in seals(conversation):
        is_changed = seal is Seal.OTHER_TEXT and not message.is_last
        if seal is Seal.FOREIGN or is_changed:
            return {"at": message.at, "number": number}
    return None


RULE = Rule(
    law="Thinking comes back with the signature that was put on it.",
    rows={
        "anthropic_messages": Row(
            foreign,
            "messages.{at}.content.{number}: Invalid `signature` in `thinking` block",
            "anthropics/claude-code #10627, kaitranntt/ccs #415, "
            "code-yeongyu/oh-my-openagent #2775",
        ),
    },
)
