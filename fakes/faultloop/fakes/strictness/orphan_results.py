"""A result answers a call, and most APIs say: one of the message before it."""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.rule import Row, Rule, Words
from faultloop.fakes.strictness.turns import block, joined_turns, turns

_NO_BATCH = (
    "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
)


def of_no_batch(conversation: Conversation) -> Words | None:
    """The first result that answers no call of the batch before it."""
    batch: list[str] = []
    for at, message in enumerate(conversation.messages):
        if message.role != "tool":
            batch = [call.id for call in message.calls]
        elif not batch:
            return {"said": _NO_BATCH, "at": at, "field": "role"}
        elif message.result_of not in batch:
            said = f"'tool_call_id' of '{message.result_of}' not found in 'tool_calls' of previous "
            return {"said": f"{said}message.", "at": at, "field": "tool_call_id"}
    return None


def of_no_call(conversation: Conversation) -> Words | None:
    """The first result that answers no call, wherever it stands."""
    made = {call.id for message in conversation.messages for call in message.calls}
    for message in conversation.messages:
        if message.role == "tool" and message.result_of not in made:
            return {"id": message.result_of}
    return None


def of_no_turn(conversation: Conversation) -> Words | None:
    """The first result that answers no call of the turn before it."""
    made: set[str] = set()
    for turn in turns(conversation):
        for id_ in turn.results:
            if id_ not in made:
                place = block(conversation, turn.at, "tool_use_id", id_)
                return {"id": id_, "at": turn.at, "block": place}
        made = {call.id for call in turn.calls}
    return None


def after_no_calls(conversation: Conversation) -> Words | None:
    """The first turn of results that does not come right after one of calls."""
    is_due = False
    for turn in joined_turns(conversation):
        if turn.results and not is_due:
            return {"at": turn.at}
        is_due = bool(turn.calls)
    return None


RULE = Rule(
    law="A result answers a call of the message before it.",
    rows={
        "openai_chat": Row(
            of_no_batch,
            "Invalid parameter: {said}",
            "clients that guard against them (cline's OpenAI conversion, for one); the spelling is "
            "the API's; where it points: agno-agi/agno #5116",
            param="messages.[{at}].{field}",
        ),
        "openai_responses": Row(
            of_no_call,
            "No tool call found for function call output with call_id {id}.",
            "continuedev/continue #10092, james-6-23/codex2api #414",
            param="input",
        ),
        "anthropic_messages": Row(
            of_no_turn,
            "messages.{at}.content.{block}: unexpected `tool_use_id` found in `tool_result` "
            "blocks: {id}. Each `tool_result` block must have a corresponding `tool_use` block in "
            "the previous message.",
            "anthropics/claude-code #13460, decocms/studio #1803",
        ),
        "gemini": Row(
            after_no_calls,
            "Please ensure that function response turn comes immediately after a function call "
            "turn.",
            "langchain-ai/langchain #27799, GoogleCloudPlatform/generative-ai #368",
        ),
    },
)
