"""What the model thought for its last reply comes back unchanged."""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.signing import Seal
from faultloop.fakes.strictness.rule import Row, Rule, Words
from faultloop.fakes.strictness.thought_blocks import seals


def changed(conversation: Conversation) -> Words | None:
    """The first thinking in the assistant's last message whose text is not the one signed."""
    for message, number, seal in seals(conversation):
        if message.is_last and seal is Seal.OTHER_TEXT:
            return {"at": message.at, "number": number}
    return None


RULE = Rule(
    law="What the model thought for its last reply comes back unchanged.",
    rows={
        "anthropic_messages": Row(
            changed,
            "messages.{at}.content.{number}: `thinking` or `redacted_thinking` blocks in the "
            "latest assistant message cannot be modified. These blocks must remain as they were in "
            "the original response.",
            "anthropics/claude-code #63203, vybestack/llxprt-code #1653",
        ),
    },
)
