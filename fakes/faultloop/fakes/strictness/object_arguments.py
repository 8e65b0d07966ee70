"""The arguments of a call that is replayed are the JSON text of an object.

OpenAI itself does not read them again, but the servers that decode them do. A loop that sends
rubbish arguments back as they came works with one and is stuck with the others. Anthropic and
Gemini cannot even express anything else.
"""

from __future__ import annotations

import json
from functools import lru_cache

import msgspec

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.rule import Row, Rule, Words

_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def no_object(conversation: Conversation) -> Words | None:
    """The first call whose arguments are not an object."""
    for at, message in enumerate(conversation.messages):
        for number, call in enumerate(message.calls):
            if not (call.is_text or _is_object(call.arguments)):
                return {"at": at, "number": number, "arguments": call.arguments}
    return None


def not_decoded(conversation: Conversation) -> Words | None:
    """The same, with the reason why."""
    words = no_object(conversation)
    return None if words is None else {"why": _why(str(words["arguments"]))}


@lru_cache(maxsize=1024)  # calls come again with every request that follows
def _is_object(text: str) -> bool:
    try:
        _decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return False
    return True


def _why(text: str) -> str:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.msg
    except RecursionError:
        return "Nested too deeply"
    except ValueError:  # an integer of too many digits
        return "Number out of range"
    return "Expecting an object"


RULE = Rule(
    law="The arguments of a call that is replayed are the JSON text of an object.",
    rows={
        "openai_chat": Row(
            no_object,
            "Invalid request: messages.{at}.tool_calls.{number}.function.arguments: arguments must "
            "be a valid JSON object string",
            "not OpenAI's own: justrach/codegraff #752; also xuzhougeng/wisp-science #775 for "
            "LiteLLM gateways and farion1231/cc-switch #4735 for Bailian",
            param="messages.{at}.tool_calls.{number}.function.arguments",
            by_others=True,
        ),
        "openai_responses": Row(
            not_decoded,
            "Responses function_call arguments are invalid JSON: {why}",
            "not OpenAI's own: Alishahryar1/free-claude-code #911; also "
            "meituan-longcat/LongCat-2.0 #14 and farion1231/cc-switch #5197",
            by_others=True,
        ),
    },
    local="vllm-project/vllm #43995, #48922; llama-server: OpenHands/software-agent-sdk #2887; "
    "sgl-project/sglang #28035",
)
