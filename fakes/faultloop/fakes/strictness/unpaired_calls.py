"""Every call must be answered before anybody else speaks.

Chat Completions answers HTTP 400 with this sentence (BerriAI/litellm #10083, aliasrobotics/cai
#111); `param` names the message at which a tool message was due. It is the most reported bug of
agent loops: cancel, crash or raise in a tool, and the next request is rejected for ever.
"""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.violation import Violation

RULE = "unpaired_calls"


def judge(conversation: Conversation) -> Violation | None:
    """Find the first batch of calls that is not answered in full."""
    messages = conversation.messages
    for at, message in enumerate(messages):
        if not message.calls:
            continue
        due = at + 1
        answered: set[str | None] = set()
        while due < len(messages) and messages[due].role == "tool":
            answered.add(messages[due].result_of)
            due += 1
        missing = [call.id for call in message.calls if call.id not in answered]
        if missing:
            return Violation(
                rule=RULE,
                message="An assistant message with 'tool_calls' must be followed by tool messages "
                "responding to each 'tool_call_id'. The following tool_call_ids did not have "
                f"response messages: {', '.join(missing)}",
                param=f"messages.[{due}].role",
            )
    return None
