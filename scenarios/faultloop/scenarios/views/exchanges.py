"""Exchanges: each provider request with what became of it, and the calls that it delivered.

A call is *cut* when the reply that held it was judged truncated on the wire: it finished with
`length`, the connection was reset, or it ended without a finish reason (SPEC P1); or when the
client left before the call's last byte.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from faultloop.fakes.conversation import Message
from faultloop.fakes.history import AnyEntry, Failed, Refused, Replied, ReplyClosed, Requested


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveredCall:
    """A call that the model made, as far as it was delivered."""

    id: str
    tool: str
    arguments: str
    """The text as it was sent, faults included."""
    offered: bool
    """Whether the request that it answers offered such a tool."""
    complete: bool
    """Whether its last byte was delivered."""
    cut: str
    """Why it must not run: `length`, `reset`, `cut`, `client_gone`; empty where it may."""
    start: int
    request: int
    turn: int
    step: int
    """The script's step, from 1 through all turns; 0 where no step of the script was said."""
    index: int
    """Its place in the batch."""
    position: int
    """Where its reply began to be sent."""
    closed: int | None
    """Where its reply was over; None if it never was."""

    @property
    def place(self) -> tuple[int, int]:
        """Its place in the script: equal for a step that was said again."""
        return self.step, self.index


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One provider request."""

    requested: Requested
    messages: tuple[Message, ...]
    """Those of the request, also where the history does not repeat them."""
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
        return self.says(call_id) or any(
            call.id == call_id for message in self.messages for call in message.calls
        )

    def told_of(self, call_id: str) -> str | None:
        """What the request says under this call's id; None if it says nothing."""
        told = [message.text for message in self.messages if message.result_of == call_id]
        return "\n".join(told) if told else None


def exchanges_of(history: Iterable[AnyEntry]) -> tuple[Exchange, ...]:
    """The exchanges of a history, in order of arrival."""
    requested: dict[int, Requested] = {}
    refused: dict[int, Refused] = {}
    failed: dict[int, Failed] = {}
    replied: dict[int, Replied] = {}
    closed: dict[int, ReplyClosed] = {}
    for entry in history:
        match entry:
            case Requested():
                requested[entry.request] = entry
            case Refused():
                refused[entry.request] = entry
            case Failed():
                failed[entry.request] = entry
            case Replied():
                replied[entry.request] = entry
            case ReplyClosed():
                closed[entry.request] = entry
            case _:
                pass
    return tuple(
        Exchange(
            requested=asked,
            messages=_messages(asked, requested),
            refused=refused.get(number),
            failed=failed.get(number),
            replied=replied.get(number),
            closed=closed.get(number),
            calls=_calls(asked, replied.get(number), closed.get(number)),
        )
        for number, asked in requested.items()
    )


def _messages(asked: Requested, requested: dict[int, Requested]) -> tuple[Message, ...]:
    while asked.same_as is not None and asked.same_as in requested:
        asked = requested[asked.same_as]
    return asked.messages


def _calls(
    asked: Requested, replied: Replied | None, closed: ReplyClosed | None
) -> tuple[DeliveredCall, ...]:
    if replied is None:
        return ()
    complete = closed.calls_complete if closed else ()
    return tuple(
        DeliveredCall(
            id=call.id,
            tool=call.tool,
            arguments=call.arguments,
            offered=call.tool in asked.tools,
            complete=call.id in complete,
            cut=_cut(replied, closed, call.id in complete),
            start=replied.start,
            request=replied.request,
            turn=replied.turn,
            step=replied.step,
            index=index,
            position=replied.position,
            closed=closed.position if closed else None,
        )
        for index, call in enumerate(replied.calls)
    )


def _cut(replied: Replied, closed: ReplyClosed | None, complete: bool) -> str:
    if closed is None:
        return ""
    if closed.outcome in ("reset", "cut"):
        return closed.outcome
    if closed.outcome == "client_gone":
        return "" if complete else "client_gone"
    return "length" if replied.finish_reason == "length" else ""
