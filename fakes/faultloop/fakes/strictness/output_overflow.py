"""A request and the reply that it allows fit into the model's context window together.

So it is with the models before Sonnet 4.5 only; newer ones answer, and stop where the window ends.
"""

from __future__ import annotations

from functools import partial

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness import tokens
from faultloop.fakes.strictness.models import needs_room, window
from faultloop.fakes.strictness.rule import Row, Rule, Words


def no_room(conversation: Conversation, most: int | None = None) -> Words | None:
    """The tokens of request and reply, where they are too many together."""
    most = window(conversation.model) if most is None else most
    output = conversation.max_tokens or 0
    if most is None or not needs_room(conversation.model):
        return None
    if tokens.cannot_exceed(conversation, most - output):
        return None
    got = tokens.of_messages(conversation) + tokens.of_tools(conversation)
    return {"got": got, "output": output, "most": most} if got + output > most else None


def within(row: Row, most: int) -> Row:
    """A row of this rule for a window of one's own choice."""
    return row._replace(find=partial(no_room, most=most))


RULE = Rule(
    law="A request and the reply that it allows fit into the context window together.",
    rows={
        "anthropic_messages": Row(
            no_room,
            "input length and `max_tokens` exceed context limit: {got} + {output} > {most}, "
            "decrease input length or `max_tokens` and try again",
            "docker/docker-agent #569, continuedev/continue #6080",
        ),
    },
)
