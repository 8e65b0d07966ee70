"""Every call is answered, and most APIs say: before anybody else speaks.

It is the most reported bug of agent loops: cancel, crash or raise in a tool, and the next request
is rejected for ever.
"""

from __future__ import annotations

from itertools import pairwise

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.rule import Row, Rule, Words
from faultloop.fakes.strictness.turns import joined_turns, turns


def in_the_run(conversation: Conversation) -> Words | None:
    """The first batch of calls that the results right after it do not answer in full."""
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
            return {"due": due, "ids": ", ".join(missing)}
    return None


def anywhere(conversation: Conversation) -> Words | None:
    """The first call that no result answers, wherever it stands: codex puts messages between."""
    answered = {message.result_of for message in conversation.messages if message.role == "tool"}
    for message in conversation.messages:
        for call in message.calls:
            if call.id not in answered:
                return {"id": call.id}
    return None


def in_the_next_turn(conversation: Conversation) -> Words | None:
    """The first turn with calls that the next turn does not answer in full."""
    said = turns(conversation)
    for number, turn in enumerate(said):
        if not turn.calls:
            continue
        answered = said[number + 1].results if number + 1 < len(said) else []
        missing = [call.id for call in turn.calls if call.id not in answered]
        if missing:
            return {"at": turn.at, "ids": ", ".join(missing)}
    return None


def too_few(conversation: Conversation) -> Words | None:
    """The first turn with more calls than the next has results: Gemini only counts. A turn of
    calls that ends the request is `last_message`'s, for models that mind."""
    for turn, after in pairwise(joined_turns(conversation)):
        if turn.calls and len(after.results) < len(turn.calls):
            return {"at": turn.at}
    return None


RULE = Rule(
    law="Every call is answered, before anybody else speaks.",
    rows={
        "openai_chat": Row(
            in_the_run,
            "An assistant message with 'tool_calls' must be followed by tool messages responding "
            "to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
            "{ids}",
            "BerriAI/litellm #10083, aliasrobotics/cai #111",
            param="messages.[{due}].role",
        ),
        "openai_responses": Row(
            anywhere,
            "No tool output found for function call {id}.",
            "tjardoo/openai-client #124, agentjido/req_llm #454",
            param="input",
        ),
        "anthropic_messages": Row(
            in_the_next_turn,
            "messages.{at}: `tool_use` ids were found without `tool_result` blocks immediately "
            "after: {ids}. Each `tool_use` block must have a corresponding `tool_result` block in "
            "the next message.",
            "anthropics/claude-code #5989 (two ids), #5060; Kilo-Org/kilocode #5163",
        ),
        "gemini": Row(
            too_few,
            "Please ensure that the number of function response parts is equal to the number of "
            "function call parts of the function call turn.",
            "google-gemini/gemini-cli #16984, #4217",
        ),
    },
)
