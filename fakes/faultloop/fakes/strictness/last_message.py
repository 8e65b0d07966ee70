"""The last word is not the model's, unless the model goes on with it.

With a turn that the API itself paused (`pause_turn`, in the middle of tools that it runs) every
model goes on: it is sent back as it came, and stays the last message.
"""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.models import takes_prefill
from faultloop.fakes.strictness.rule import Row, Rule, Words
from faultloop.fakes.strictness.turns import last_blocks, turns


def is_unpaused(conversation: Conversation) -> Words | None:
    """The same, but for a turn in which the API runs tools of its own."""
    words = is_the_models(conversation)
    return None if words is None or "server_tool_use" in last_blocks(conversation) else words


def is_the_models(conversation: Conversation) -> Words | None:
    """The last message, where it is the model's and this model goes on with none."""
    if takes_prefill(conversation.model):
        return None
    said = turns(conversation)
    return {} if said and said[-1].is_models else None


RULE = Rule(
    law="The last word is not the model's, unless the model goes on with it.",
    rows={
        "anthropic_messages": Row(
            is_unpaused,
            "This model does not support assistant message prefill. The conversation must end with "
            "a user message.",
            "smallmain/vscode-unify-chat-provider #249, vybestack/llxprt-code #3695; by model: "
            "ericc-ch/copilot-api #261; paused turns: anthropics/anthropic-sdk-python #1507",
        ),
        "gemini": Row(
            is_the_models,
            "Requests ending with a model turn are not supported.",
            "anomalyco/opencode #47034, esengine/DeepSeek-Reasonix #7538; by model: "
            "pipecat-ai/pipecat #5821, LibreChat-AI/agents #323",
        ),
    },
)
