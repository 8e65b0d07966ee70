"""Where a request gives thinking a budget, the reply that its results go on with begins with some.

Requests whose thinking is adaptive are not asked this (docs of the API, Thinking).
"""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.rule import Row, Rule, Words
from faultloop.fakes.strictness.thought_blocks import THOUGHTS, said, thinking_of


def thoughtless(conversation: Conversation) -> Words | None:
    """The last reply, if it calls and begins with anything but thinking."""
    if thinking_of(conversation).get("type") != "enabled":
        return None
    for message in said(conversation)[-1:]:
        kinds = [block.get("type") for block in message.blocks]
        if "tool_use" in kinds and kinds[0] not in THOUGHTS:
            return {"at": message.at, "found": kinds[0]}
    return None


RULE = Rule(
    law="Where a request gives thinking a budget, the reply that its results go on with begins "
    "with some.",
    rows={
        "anthropic_messages": Row(
            thoughtless,
            "messages.{at}.content.0.type: Expected `thinking` or `redacted_thinking`, but found "
            "`{found}`. When `thinking` is enabled, a final `assistant` message must start with a "
            "thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). "
            "We recommend you include thinking blocks from previous turns. To avoid this "
            "requirement, disable `thinking`. Please consult our documentation at "
            "https://docs.claude.com/en/docs/build-with-claude/extended-thinking",
            "anomalyco/opencode #3077, mastra-ai/mastra #7799",
        ),
    },
)
