"""Exchanges: each provider request with what became of it, and the calls that it delivered."""

from __future__ import annotations

from functools import cached_property

import msgspec

from faultloop.fakes.conversation import Message
from faultloop.fakes.history import Failed, Refused, Replied, ReplyClosed, Requested
from faultloop.scenarios.views.aliases import Batch, Restored, restore
from faultloop.scenarios.views.delivered import DeliveredCall, calls_of
from faultloop.scenarios.views.kinds import Kinds
from faultloop.scenarios.views.pairing import Flaw, flaws_of


class Exchange(msgspec.Struct, frozen=True, kw_only=True, dict=True):  # dict: `cached_property`
    """One provider request."""

    requested: Requested
    messages: tuple[Message, ...]
    """Those of the request, also where the history does not repeat them."""
    restored: Restored
    """The same under the ids that were delivered, whatever ids the subject wrote."""
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
        return self.replied is not None and self.replied.cursor == "side"

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
        return call_id in self._call_ids or self.says(call_id)

    def may_show(self, call_id: str) -> bool:
        """Whether it shows this call, or one that could not be traced and may be this one."""
        return bool(self.restored.strangers) or self.shows(call_id)

    def told_of(self, call_id: str) -> str | None:
        """What the request says under this call's id; None if it says nothing."""
        told = self._results.get(call_id)
        return "\n".join(told) if told else None

    @cached_property
    def flaws(self) -> tuple[Flaw, ...]:
        """What a strict provider would have against its messages."""
        return tuple(flaws_of(self.messages))

    @cached_property
    def _call_ids(self) -> frozenset[str]:
        return frozenset(call.id for message in self.restored.messages for call in message.calls)

    @cached_property
    def _results(self) -> dict[str, list[str]]:
        """The texts of its results by the id that they bear."""
        found: dict[str, list[str]] = {}
        for message in self.restored.messages:
            if message.result_of is not None:
                found.setdefault(message.result_of, []).append(message.text)
        return found


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
    for number, asked in requested.items():
        messages = _messages(asked, requested)
        before = (
            Batch(reply.text, calls[earlier])
            for earlier, reply in replied.items()
            if reply.position < asked.position
        )
        found.append(
            Exchange(
                requested=asked,
                messages=messages,
                restored=restore(messages, before, known),
                refused=refused.get(number),
                failed=failed.get(number),
                replied=replied.get(number),
                closed=closed.get(number),
                calls=calls[number],
            )
        )
    return tuple(found)


def _messages(asked: Requested, requested: dict[int, Requested]) -> tuple[Message, ...]:
    while asked.same_as is not None and asked.same_as in requested:
        asked = requested[asked.same_as]
    return asked.messages
