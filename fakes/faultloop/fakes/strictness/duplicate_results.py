"""A call is answered once.

A loop breaks it that writes a result where a call was aborted and another when its tool comes back.
"""

from __future__ import annotations

from itertools import pairwise

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.rule import Row, Rule, Words
from faultloop.fakes.strictness.turns import block, joined_turns, turns


def in_a_run(conversation: Conversation) -> Words | None:
    """The first result that comes a second time in one run of results."""
    seen: dict[str | None, int] = {}
    for at, message in enumerate(conversation.messages):
        if message.role != "tool":
            seen = {}
        elif message.result_of in seen:
            return {"id": message.result_of, "first": seen[message.result_of], "at": at}
        else:
            seen[message.result_of] = at
    return None


def in_a_turn(conversation: Conversation) -> Words | None:
    """The first result that comes a second time in one message of the wire."""
    for turn in turns(conversation):
        seen: set[str] = set()
        for id_ in turn.results:
            if id_ in seen:
                place = block(conversation, turn.at, "tool_use_id", id_, 1)
                return {"id": id_, "at": turn.at, "block": place}
            seen.add(id_)
    return None


def too_many(conversation: Conversation) -> Words | None:
    """The first turn with more results than the turn before it has calls: Gemini only counts."""
    for before, turn in pairwise(joined_turns(conversation)):
        if before.calls and len(turn.results) > len(before.calls):
            return {"at": turn.at}
    return None


RULE = Rule(
    law="A call is answered once.",
    rows={
        "openai_chat": Row(
            in_a_run,
            "Invalid parameter: Duplicate value for 'tool_call_id' of '{id}', in messages[{first}] "
            "and messages[{at}].",
            "agno-agi/agno #5116",
            param="messages.[{at}].tool_call_id",
        ),
        "anthropic_messages": Row(
            in_a_turn,
            "messages.{at}.content.{block}: each tool_use must have a single result. Found "
            "multiple `tool_result` blocks with id: {id}",
            "anthropics/claude-code #14110, vercel/eve #1246",
        ),
        "gemini": Row(
            too_many,
            "Please ensure that the number of function response parts is equal to the number of "
            "function call parts of the function call turn.",
            "google-gemini/gemini-cli #4217, #4504",
        ),
    },
)
