"""No call has the id of a call in an earlier message."""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.rule import Row, Rule, Words
from faultloop.fakes.strictness.turns import block, turns


def across_turns(conversation: Conversation) -> Words | None:
    """The first call whose id was another's in an earlier message."""
    seen: set[str] = set()
    for turn in turns(conversation):
        ids = {call.id for call in turn.calls}
        for call in turn.calls:
            if call.id in seen:
                place = block(conversation, turn.at, "id", call.id)
                return {"at": turn.at, "block": place}
        seen |= ids
    return None


RULE = Rule(
    law="No call has the id of a call in an earlier message.",
    rows={
        "anthropic_messages": Row(
            across_turns,
            "messages.{at}.content.{block}: `tool_use` ids must be unique",
            "the sentence: anomalyco/opencode #1279; that it holds for all of a request: "
            "NachoSEO/claudegram #12",
        ),
    },
)
