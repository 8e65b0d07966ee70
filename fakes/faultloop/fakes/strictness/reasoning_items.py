"""What a Responses request brings back of reasoning: its items, as far as they are to be judged."""

from __future__ import annotations

import json
from typing import Any

from faultloop.fakes.conversation import Conversation

Object = dict[str, Any]

_scan = json.JSONDecoder().raw_decode


def items_of(conversation: Conversation) -> list[Object]:
    """The items of the request's input; none where it goes on from an earlier reply, which the
    provider has kept. The body is read again for it, so whoever asks has looked at its text."""
    if conversation.continues is not None:
        return []
    body, _ = _scan(conversation.raw)  # ids of what it refers to may follow
    items = body.get("input")
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
