"""The user speaks first.

A loop breaks it that drops the oldest messages of a conversation, one by one, to make it fit.
"""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.rule import Row, Rule, Words
from faultloop.fakes.strictness.turns import turns


def is_the_models(conversation: Conversation) -> Words | None:
    """The first message, where it is the model's."""
    said = turns(conversation)
    return {} if said and said[0].is_models else None


RULE = Rule(
    law="The user speaks first.",
    rows={
        "anthropic_messages": Row(
            is_the_models,
            'messages: first message must use the "user" role',
            "lobehub/lobehub #1601, tonyljx/TextWordExplain #2; since then seen of Bedrock and no "
            "more of Anthropic itself (anthropics/anthropic-sdk-typescript #622)",
        ),
    },
)
