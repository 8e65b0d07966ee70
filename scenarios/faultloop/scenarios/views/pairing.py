"""Pairing: what is wrong with the calls and results of one conversation.

The rule of every provider: right after an assistant message that makes calls come their results,
one for each, before anybody else speaks (SPEC L1, D6).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from faultloop.fakes.conversation import Message

Kind = Literal["unanswered", "late", "orphan", "duplicate", "repeated_id"]


class Flaw(NamedTuple):
    """One thing that a strict provider would reject."""

    kind: Kind
    call_id: str
    message: int
    """Index of the message at which it shows; the number of messages if that is the end."""

    @property
    def sentence(self) -> str:
        """The flaw as a clause."""
        return _CLAUSES[self.kind].format(self.call_id or "(no id)")


_CLAUSES: dict[Kind, str] = {
    "unanswered": "call {} has no result",
    "late": "the result of call {} comes after another message",
    "orphan": "a result names call {}, which no message makes",
    "duplicate": "call {} has a second result",
    "repeated_id": "call id {} is used twice",
}


def flaws_of(messages: Iterable[Message]) -> list[Flaw]:
    """The flaws of a conversation, in the order in which a reader meets them."""
    flaws: list[Flaw] = []
    owed: dict[str, None] = {}  # a set that keeps its order
    missed: set[str] = set()
    made: set[str] = set()
    index = -1
    for index, message in enumerate(messages):
        if message.role == "tool":
            flaws += _result(message.result_of or "", index, owed, missed, made)
            continue
        flaws += [Flaw("unanswered", call_id, index) for call_id in owed]
        missed |= owed.keys()
        owed.clear()
        for call in message.calls:
            if call.id in made:
                flaws.append(Flaw("repeated_id", call.id, index))
            made.add(call.id)
            owed[call.id] = None
    flaws += [Flaw("unanswered", call_id, index + 1) for call_id in owed]
    return flaws


def _result(
    call_id: str, index: int, owed: dict[str, None], missed: set[str], made: set[str]
) -> list[Flaw]:
    if call_id in owed:
        del owed[call_id]
        return []
    if call_id in missed:
        missed.discard(call_id)
        return [Flaw("late", call_id, index)]
    return [Flaw("duplicate" if call_id in made else "orphan", call_id, index)]
