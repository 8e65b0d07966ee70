"""A result must follow the message that made its call.

Chat Completions answers HTTP 400: a tool message without a batch of calls before it gets the first
sentence, one whose id is not in that batch the second. Both are quoted by clients that guard
against them (cline's OpenAI conversion, for one); "preceeding" is the API's own spelling. The form
of `param` is that of agno-agi/agno #5116.
"""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.violation import Violation

RULE = "orphan_results"


def judge(conversation: Conversation) -> Violation | None:
    """Find the first result that answers no call of the batch before it."""
    batch: list[str] = []
    for at, message in enumerate(conversation.messages):
        if message.role != "tool":
            batch = [call.id for call in message.calls]
        elif not batch:
            return Violation(
                rule=RULE,
                message="Invalid parameter: messages with role 'tool' must be a response to a "
                "preceeding message with 'tool_calls'.",
                param=f"messages.[{at}].role",
            )
        elif message.result_of not in batch:
            return Violation(
                rule=RULE,
                message=f"Invalid parameter: 'tool_call_id' of '{message.result_of}' not found in "
                "'tool_calls' of previous message.",
                param=f"messages.[{at}].tool_call_id",
            )
    return None
