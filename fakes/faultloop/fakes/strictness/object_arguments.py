"""The arguments of a call that is replayed are the JSON text of an object.

OpenAI itself does not read them again, but the servers that decode them do, and answer HTTP 400
(this sentence: justrach/codegraff #752; also xuzhougeng/wisp-science #775 for LiteLLM gateways and
farion1231/cc-switch #4735 for Bailian; Anthropic and Gemini cannot even express anything else).
A loop that sends rubbish arguments back as they came works with one and is stuck with the others.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.violation import Violation

RULE = "object_arguments"

_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def judge(conversation: Conversation) -> Violation | None:
    """Find the first call whose arguments are not an object."""
    for at, message in enumerate(conversation.messages):
        for number, call in enumerate(message.calls):
            if not (call.is_text or _is_object(call.arguments)):
                where = f"messages.{at}.tool_calls.{number}.function.arguments"
                return Violation(
                    rule=RULE,
                    message=f"Invalid request: {where}: arguments must be a valid JSON object "
                    "string",
                    param=where,
                )
    return None


@lru_cache(maxsize=1024)  # calls come again with every request that follows
def _is_object(text: str) -> bool:
    try:
        _decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return False
    return True
