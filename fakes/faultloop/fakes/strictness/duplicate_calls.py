"""A call has an id of its own within its message."""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.rule import Row, Rule, Words
from faultloop.fakes.strictness.turns import block, turns


def in_a_message(conversation: Conversation) -> Words | None:
    """The first id that two calls of one message share."""
    for at, message in enumerate(conversation.messages):
        if len(message.calls) < 2:
            continue
        seen: set[str] = set()
        for number, call in enumerate(message.calls):
            if call.id in seen:
                return {"id": call.id, "at": at, "number": number}
            seen.add(call.id)
    return None


def in_a_turn(conversation: Conversation) -> Words | None:
    """The same, in a message of the wire."""
    for turn in turns(conversation):
        seen: set[str] = set()
        for call in turn.calls:
            if call.id in seen:
                place = block(conversation, turn.at, "id", call.id, 1)
                return {"at": turn.at, "block": place}
            seen.add(call.id)
    return None


RULE = Rule(
    law="A call has an id of its own within its message.",
    rows={
        "openai_chat": Row(
            in_a_message,
            "Duplicate value for 'tool_call_id' of {id} in message[{at}]",
            "DeepSeek's, and others' of the dialect: can1357/oh-my-pi #2055 shows how it arises",
            param="messages.[{at}].tool_calls.[{number}].id",
            by_others=True,
        ),
        "anthropic_messages": Row(
            in_a_turn,
            "messages.{at}.content.{block}: `tool_use` ids must be unique",
            "anomalyco/opencode #1279, trycua/cua #524, anthropics/claude-code #20901",
        ),
    },
)
