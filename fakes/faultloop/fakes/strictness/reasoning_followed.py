"""Reasoning comes back together with what it led to."""

from __future__ import annotations

from itertools import pairwise

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.reasoning_items import Object, items_of
from faultloop.fakes.strictness.rule import Row, Rule, Words

_LED_TO = ("custom_tool_call", "function_call", "item_reference", "reasoning")


def leading_nowhere(conversation: Conversation) -> Words | None:
    """The first reasoning with an id that nothing of the assistant's comes after."""
    if '"rs_' not in conversation.raw:
        return None
    items = items_of(conversation)
    for item, following in pairwise((*items, {})):
        is_named = item.get("type") == "reasoning" and item.get("id")
        if is_named and not _is_led_to(following):
            return {"item": item["id"]}
    return None


def _is_led_to(item: Object) -> bool:
    return item.get("type") in _LED_TO or item.get("role") == "assistant"


RULE = Rule(
    law="Reasoning comes back together with what it led to.",
    rows={
        "openai_responses": Row(
            leading_nowhere,
            "Item '{item}' of type 'reasoning' was provided without its required following item.",
            "continuedev/continue #8933, openai/openai-node #1567",
            "input",
        ),
    },
)
