"""Calls of the turn that is on come back with the signature that was put on them."""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.models import signs
from faultloop.fakes.strictness.rule import Row, Rule, Words
from faultloop.fakes.strictness.turns import Turn, joined_turns, turns


def unsigned(conversation: Conversation) -> Words | None:
    """The first step since the user last spoke whose first call has no signature."""
    if not signs(conversation.model):
        return None
    said = joined_turns(conversation)
    spoke = [at for at, turn in enumerate(said) if _is_the_users(turn)]
    for at in range(spoke[-1] + 1 if spoke else 0, len(said)):
        calls = said[at].calls
        if calls and calls[0].is_unsigned:
            begun = said[at].at
            place = next(t.at for t in turns(conversation) if t.at >= begun and t.calls)
            return {"name": calls[0].name, "position": place + 1}
    return None


def _is_the_users(turn: Turn) -> bool:
    """Whether the user speaks in it, if only beside results."""
    return not turn.is_models and any(message.role != "tool" for message in turn.messages)


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
