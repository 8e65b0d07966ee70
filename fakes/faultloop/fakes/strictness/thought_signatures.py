"""Calls of the turn that is on come back with the signature that was put on them."""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.models import signs
from faultloop.fakes.strictness.rule import Row, Rule, Words
from faultloop.fakes.strictness.turns import turns


def unsigned(conversation: Conversation) -> Words | None:
    """The first step since the user last spoke whose first call has no signature."""
    if not signs(conversation.model):
        return None
    said = turns(conversation)
    spoke = [at for at, turn in enumerate(said) if not (turn.is_models or turn.results)]
    for at in range(spoke[-1] + 1 if spoke else 0, len(said)):
        calls = said[at].calls
        if calls and calls[0].is_unsigned:
            return {"name": calls[0].name, "position": said[at].at + 1}
    return None


RULE = Rule(
    law="Calls of the turn that is on come back with the signature that was put on them.",
    rows={
        "gemini": Row(
            unsigned,
            "Function call is missing a thought_signature in functionCall parts. This is required "
            "for tools to work correctly, and missing thought_signature may lead to degraded model "
            "performance. Additional data, function call `default_api:{name}` , position "
            "{position}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures "
            "for more details.",
            "manthanabc/paws #103, lbjlaq/Antigravity-Manager #3243, nanbingxyz/5ire #405",
        ),
    },
)
