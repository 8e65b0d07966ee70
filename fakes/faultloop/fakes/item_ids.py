"""Ids of the items of Responses that tell of reasoning.

The item of a call that comes after reasoning says so in its id, so that a call which comes back
without its reasoning is known without a memory of replies.
"""

from __future__ import annotations

import re

_ID_CHARS_MAX = 60
"""Of an id without its prefix: the API takes 64 with it, and `ctc_` is the longest."""
_AFTER = re.compile(r"(?:fc|ctc)_([0-9A-Za-z]{29})_(.+)", re.DOTALL)
_NAMED = re.compile(r'"(?:fc|ctc)_[0-9A-Za-z]{29}_')


def reasoning_id(reply_id: str) -> str:
    """The id of a reply's reasoning item; `reply_id` has no prefix."""
    return f"rs_{reply_id}"


def after_reasoning(reply_id: str, own: str) -> str:
    """What stands in the id of a call's item after its prefix. One that would become too long, or
    that could not be read again, says nothing of reasoning."""
    told = f"{reply_id}_{own}"
    fits = len(told) <= _ID_CHARS_MAX and _AFTER.fullmatch(f"fc_{told}")
    return told if fits else own


def reasoning_before(item_id: str) -> str | None:
    """The id of the reasoning item that a call's item comes after, if any."""
    match = _AFTER.fullmatch(item_id)
    return None if match is None else reasoning_id(match[1])


def names_reasoning(body: str) -> bool:
    """Whether a request may have the item of a call that comes after reasoning."""
    return _NAMED.search(body) is not None


def own_part(item_id: str) -> str:
    """What an item's id has of the id of its call, or of its reply."""
    match = _AFTER.fullmatch(item_id)
    return item_id.partition("_")[2] if match is None else match[2]
