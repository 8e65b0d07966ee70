"""A request fits into the model's context window.

Tokens are only counted where a request has more bytes than the window has tokens: one that has not
cannot be too long.
"""

from __future__ import annotations

from functools import partial

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness import tokens
from faultloop.fakes.strictness.models import window
from faultloop.fakes.strictness.rule import Row, Rule, Words


def too_long(conversation: Conversation, most: int | None = None) -> Words | None:
    """The tokens of a request, where they are too many. `most`: a window of one's own choice."""
    most = window(conversation.model) if most is None else most
    if most is None or tokens.cannot_exceed(conversation, most):
        return None
    said, offered = tokens.of_messages(conversation), tokens.of_tools(conversation)
    got = said + offered
    if got <= most:
        return None
    resulted = f"your messages resulted in {got} tokens"
    how = f"{resulted}. Please reduce the length of the messages."
    if offered:
        parts = f"({said} in the messages, {offered} in the functions)"
        how = f"{resulted} {parts}. Please reduce the length of the messages or functions."
    return {"most": most, "got": got, "how": how}


def within(row: Row, most: int) -> Row:
    """A row of this rule for a window of one's own choice."""
    return row._replace(find=partial(too_long, most=most))


RULE = Rule(
    law="A request fits into the model's context window.",
    rows={
        "openai_chat": Row(
            too_long,
            "This model's maximum context length is {most} tokens. However, {how}",
            "bytedance/deer-flow #310 (with functions), crewAIInc/crewAI-examples #121",
            param="messages",
            code="context_length_exceeded",
        ),
        "openai_responses": Row(
            too_long,
            "Your input exceeds the context window of this model. Please adjust your input and try "
            "again.",
            "anomalyco/opencode #6071, the-open-agent/openagent #2344, both from the error event "
            "of a stream",
            param="input",
            code="context_length_exceeded",
        ),
        "anthropic_messages": Row(
            too_long,
            "prompt is too long: {got} tokens > {most} maximum",
            "earendil-works/pi #102, anthropics/claude-code #12186",
        ),
        "gemini": Row(
            too_long,
            "The input token count ({got}) exceeds the maximum number of tokens allowed ({most}).",
            "google-gemini/gemini-cli #4231, #4118",
        ),
    },
    local="llama.cpp: ggml-org/llama.cpp #19774, #17284",
)
