"""The model calls after the user has spoken, or after results."""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.rule import Row, Rule, Words
from faultloop.fakes.strictness.turns import joined_turns


def after_the_model(conversation: Conversation) -> Words | None:
    """The first turn of calls that comes first of all, or after another of the model's."""
    may_call = False
    for turn in joined_turns(conversation):
        if turn.calls and not may_call:
            return {"at": turn.at}
        may_call = not turn.is_models
    return None


RULE = Rule(
    law="The model calls after the user has spoken, or after results.",
    rows={
        "gemini": Row(
            after_the_model,
            "Please ensure that function call turn comes immediately after a user turn or after a "
            "function response turn.",
            "google-gemini/gemini-cli #11814, continuedev/continue #11164, "
            "lbjlaq/Antigravity-Manager #3396",
        ),
    },
)
