"""Pairing: what is wrong with the calls and results of one conversation.

The rule of most providers: right after an assistant message that makes calls come their results,
one for each, before anybody else speaks (SPEC L1, D6). The others are rows of `PLACES`.
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


Place = Literal["next", "turn", "anywhere"]

PLACES: dict[str, Place] = {
    "openai_chat": "next",
    "anthropic_messages": "next",
    "gemini": "turn",  # within a content the order of parts says nothing
    "openai_responses": "anywhere",  # codex puts messages between
}
"""By dialect: where a result may stand. Right behind its calls; before the model speaks again; or
wherever it likes."""


class Pairing:
    """The calls and results of a conversation, read message by message."""

    def __init__(self, place: Place = "next") -> None:
        self._place = place
        self._length = 0
        self._flaws: list[Flaw] = []
        self._owed: dict[str, None] = {}  # a set that keeps its order
        self._missed: set[str] = set()
        self._made: set[str] = set()

    def read(self, messages: Iterable[Message]) -> None:
        """Read on."""
        for message in messages:
            if message.role == "tool":
                self._result(message.result_of or "")
            else:
                self._spoken(message)
            self._length += 1

    def flaws(self) -> list[Flaw]:
        """Those of a conversation that ends here, in the order in which a reader meets them."""
        return [*self._flaws, *self._unanswered()]

    def _unanswered(self) -> list[Flaw]:
        return [Flaw("unanswered", call_id, self._length) for call_id in self._owed]

    def _spoken(self, message: Message) -> None:
        is_over = self._place == "next" or (self._place == "turn" and message.role == "assistant")
        if self._owed and is_over:
            self._flaws += self._unanswered()
            self._missed |= self._owed.keys()
            self._owed.clear()
        for call in message.calls:
            if call.id in self._made:
                self._flaws.append(Flaw("repeated_id", call.id, self._length))
            self._made.add(call.id)
            self._owed[call.id] = None

    def _result(self, call_id: str) -> None:
        if call_id in self._owed:
            del self._owed[call_id]
        elif call_id in self._missed:
            self._missed.discard(call_id)
            self._flaws.append(Flaw("late", call_id, self._length))
        else:
            kind: Kind = "duplicate" if call_id in self._made else "orphan"
            self._flaws.append(Flaw(kind, call_id, self._length))
