"""Exchanges: each provider request with what became of it, and the calls that it delivered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from faultloop.fakes.conversation import Message
from faultloop.fakes.history import Failed, Refused, Replied, ReplyClosed, Requested
from faultloop.scenarios.views.aliases import Batch, Restored, restore
from faultloop.scenarios.views.delivered import DeliveredCall, calls_of
from faultloop.scenarios.views.kinds import Kinds
from faultloop.scenarios.views.pairing import PLACES, Flaw, Pairing


class Contents(NamedTuple):
    """What the messages of a request hold."""

    added: int
    """Index of the first message that the loop's request before it did not hold in its place."""
    flaws: tuple[Flaw, ...]
    call_ids: frozenset[str]
    results: Mapping[str, str]
    """The texts of its results by the id that they bear."""


class Reader:
    """A conversation that is read on and on: of each request only what it adds to the one before.

    Calls and results are known by the ids that were delivered, flaws are those of the messages as
    they were sent.
    """

    def __init__(self, dialect: str = "openai_chat") -> None:
        self._dialect = dialect
        self._messages: tuple[Message, ...] = ()
        self._restored: tuple[Message, ...] = ()
        self._pairing = Pairing(PLACES[dialect])
        self._call_ids: set[str] = set()
        self._results: dict[str, str] = {}

    def goes_on_in(
        self, dialect: str, messages: tuple[Message, ...], restored: tuple[Message, ...]
    ) -> bool:
        """Whether a request begins with all that was read."""
        length = len(self._messages)
        if dialect != self._dialect:
            return False
        return messages[:length] == self._messages and restored[:length] == self._restored

    def read(self, messages: tuple[Message, ...], restored: tuple[Message, ...]) -> Contents:
        """Read a request that begins with all that was read."""
        added = len(self._messages)
        self._pairing.read(messages[added:])
        for message in restored[added:]:
            self._call_ids.update([call.id for call in message.calls])
            call_id = message.result_of
            if call_id is not None:
                earlier = self._results.get(call_id)
                told = message.text if earlier is None else f"{earlier}\n{message.text}"
                self._results[call_id] = told
        self._messages, self._restored = messages, restored
        return Contents(
            added, tuple(self._pairing.flaws()), frozenset(self._call_ids), {**self._results}
        )


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """One provider request."""

    requested: Requested
    messages: tuple[Message, ...]
    """Those of the request, also where the history does not repeat them."""
    restored: Restored
    """The same under the ids that were delivered, whatever ids the subject wrote."""
    contents: Contents
    refused: Refused | None
    failed: Failed | None
    replied: Replied | None
    closed: ReplyClosed | None
    calls: tuple[DeliveredCall, ...]

    @property
    def position(self) -> int:
        """Where it arrived."""
        return self.requested.position

    @property
    def start(self) -> int:
        """Which start asked."""
        return self.requested.start

    @property
    def number(self) -> int:
        """Its number in the play, from 1."""
        return self.requested.request

    @property
    def side(self) -> bool:
        """A request beside the loop's own (a title, a summary), which offers no tools."""
        return _is_side(self.replied)

    @property
    def broke_off(self) -> bool:
        """Whether it brought no whole reply: failed, refused, reset or cut."""
        return (
            self.failed is not None
            or self.refused is not None
            or (self.closed is not None and self.closed.outcome in ("reset", "cut"))
        )

    @property
    def over(self) -> int:
        """Where its answer ended, as far as the history tells."""
        last = self.closed or self.failed or self.refused or self.replied or self.requested
        return last.position

    def says(self, text: str) -> bool:
        """Whether any message of the request holds this text."""
        return any(text in message.text for message in self.messages)

    def shows(self, call_id: str) -> bool:
        """Whether the request's conversation holds this call, in whatever form."""
        return call_id in self.contents.call_ids or self.says(call_id)

    def may_show(self, call_id: str) -> bool:
        """Whether it shows this call, or one that could not be traced and may be this one."""
        return bool(self.restored.strangers) or self.shows(call_id)

    def told_of(self, call_id: str) -> str | None:
        """What the request says under this call's id; None if it says nothing."""
        return self.contents.results.get(call_id)

    @property
    def flaws(self) -> tuple[Flaw, ...]:
        """What a strict provider would have against its messages."""
        return self.contents.flaws


def exchanges_of(kinds: Kinds) -> tuple[Exchange, ...]:
    """The exchanges of a history, in order of arrival."""
    requested = {entry.request: entry for entry in kinds.of(Requested)}
    refused = {entry.request: entry for entry in kinds.of(Refused)}
    failed = {entry.request: entry for entry in kinds.of(Failed)}
    replied = {entry.request: entry for entry in kinds.of(Replied)}
    closed = {entry.request: entry for entry in kinds.of(ReplyClosed)}
    calls = {
        number: calls_of(asked, replied.get(number), closed.get(number))
        for number, asked in requested.items()
    }
    known = frozenset(call.id for batch in calls.values() for call in batch)
    found = []
    reader = Reader()
    for number, asked in requested.items():
        messages = _messages(asked, requested)
        before = (
            Batch(reply.text, calls[earlier])
            for earlier, reply in replied.items()
            if reply.position < asked.position
        )
        restored = restore(messages, before, known)
        if _is_side(replied.get(number)):
            contents = Reader(asked.dialect).read(messages, restored.messages)
        else:
            if not reader.goes_on_in(asked.dialect, messages, restored.messages):
                reader = Reader(asked.dialect)
            contents = reader.read(messages, restored.messages)
        found.append(
            Exchange(
                requested=asked,
                messages=messages,
                restored=restored,
                contents=contents,
                refused=refused.get(number),
                failed=failed.get(number),
                replied=replied.get(number),
                closed=closed.get(number),
                calls=calls[number],
            )
        )
    return tuple(found)


def _is_side(replied: Replied | None) -> bool:
    return replied is not None and replied.cursor == "side"


def _messages(asked: Requested, requested: dict[int, Requested]) -> tuple[Message, ...]:
    while asked.same_as is not None and asked.same_as in requested:
        asked = requested[asked.same_as]
    return asked.messages
