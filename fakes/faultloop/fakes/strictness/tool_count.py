"""No more tools than the API takes. Responses and Gemini count while they read (128, 512)."""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.rule import Row, Rule, Words

CHAT_MAX = 128


def too_many(conversation: Conversation) -> Words | None:
    """The number of tools, where it is too high."""
    got = len(conversation.tools)
    return {"most": CHAT_MAX, "got": got} if got > CHAT_MAX else None


RULE = Rule(
    law="No more tools than the API takes.",
    rows={
        "openai_chat": Row(
            too_many,
            "Invalid 'tools': array too long. Expected an array with maximum length {most}, but "
            "got an array with length {got} instead.",
            "vishalmysore/Tools4AI #16, julep-ai/julep #330",
            param="tools",
            code="array_above_max_length",
        ),
    },
)
