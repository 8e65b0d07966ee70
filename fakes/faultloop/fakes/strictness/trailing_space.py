"""What the model is to go on with does not end in white space."""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.rule import Row, Rule, Words
from faultloop.fakes.strictness.turns import turns


def after_the_last_word(conversation: Conversation) -> Words | None:
    """White space at the end of a last message of the model's."""
    said = turns(conversation)
    if not (said and said[-1].is_models):
        return None
    text = said[-1].messages[-1].text
    return {} if text != text.rstrip() else None


RULE = Rule(
    law="What the model is to go on with does not end in white space.",
    rows={
        "anthropic_messages": Row(
            after_the_last_word,
            "messages: final assistant content cannot end with trailing whitespace",
            "tailcallhq/forgecode #1872, anomalyco/opencode #1295",
        ),
    },
)
