"""A call has an id of its own within its message.

Providers reject the id that comes twice (HTTP 400, `Duplicate value for 'tool_call_id' of ... in
message[N]`, as DeepSeek and others word it; can1357/oh-my-pi #2055 shows how it arises).
"""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.violation import Violation

RULE = "duplicate_calls"


def judge(conversation: Conversation) -> Violation | None:
    """Find the first id that two calls of one message share."""
    for at, message in enumerate(conversation.messages):
        if len(message.calls) < 2:
            continue
        seen: set[str] = set()
        for number, call in enumerate(message.calls):
            if call.id in seen:
                return Violation(
                    rule=RULE,
                    message=f"Duplicate value for 'tool_call_id' of {call.id} in message[{at}]",
                    param=f"messages.[{at}].tool_calls.[{number}].id",
                )
            seen.add(call.id)
    return None
