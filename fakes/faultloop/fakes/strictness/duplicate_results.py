"""A call is answered once.

Chat Completions answers HTTP 400 with this sentence (agno-agi/agno #5116).
"""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.violation import Violation

RULE = "duplicate_results"


def judge(conversation: Conversation) -> Violation | None:
    """Find the first result that comes a second time in one run of results."""
    seen: dict[str | None, int] = {}
    for at, message in enumerate(conversation.messages):
        if message.role != "tool":
            seen = {}
        elif message.result_of in seen:
            first = seen[message.result_of]
            return Violation(
                rule=RULE,
                message=f"Invalid parameter: Duplicate value for 'tool_call_id' of "
                f"'{message.result_of}', in messages[{first}] and messages[{at}].",
                param=f"messages.[{at}].tool_call_id",
            )
        else:
            seen[message.result_of] = at
    return None
