"""A call comes back together with the reasoning that it came after."""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.item_ids import names_reasoning, reasoning_before
from faultloop.fakes.strictness.reasoning_items import items_of
from faultloop.fakes.strictness.rule import Row, Rule, Words

_CALLS = ("function_call", "custom_tool_call")


def alone(conversation: Conversation) -> Words | None:
    """The first call with the id that it was given, and without its reasoning before it."""
    seen: set[object] = set()
    if not names_reasoning(conversation.raw):
        return None
    for item in items_of(conversation):
        kind, id_ = item.get("type"), item.get("id")
        reasoning = reasoning_before(id_) if kind in _CALLS and isinstance(id_, str) else None
        if reasoning is not None and reasoning not in seen:
            return {"item": id_, "kind": kind, "reasoning": reasoning}
        seen.add(id_)
    return None


RULE = Rule(
    law="A call comes back together with the reasoning that it came after.",
    rows={
        "openai_responses": Row(
            alone,
            "Item '{item}' of type '{kind}' was provided without its required 'reasoning' item: "
            "'{reasoning}'.",
            "VRSEN/agency-swarm #367; without its id a call is taken: laravel/ai #1052",
            "input",
        ),
    },
)
