"""Delivered calls: what the model asked for, as far as it reached the subject.

A call is *cut* when the reply that held it was judged truncated on the wire: it finished with
`length`, the connection was reset, or it ended without a finish reason (SPEC P1); when the
client left before the call's last byte; or when the reply came to its end and a piece of the call
is missing. A call that the dialect has no form for is none of them.
"""

from __future__ import annotations

import msgspec

from faultloop.fakes.history import Replied, ReplyClosed, Requested


class DeliveredCall(msgspec.Struct, frozen=True, kw_only=True):
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
    """Why it must not run: `length`, `reset`, `cut`, `client_gone`, `hole`; empty where it may."""
    start: int
    request: int
    turn: int
    step: int
    """The script's step, from 1 through all turns; 0 where no step of the script was said."""
    index: int
    """Its place in the script's batch, from 0."""
    position: int
    """Where its reply began to be sent."""
    closed: int | None
    """Where its reply was over; None if it never was."""

    @property
    def place(self) -> tuple[int, int]:
        """Its place in the script: equal for a step that was said again."""
        return self.step, self.index


def calls_of(
    asked: Requested, replied: Replied | None, closed: ReplyClosed | None
) -> tuple[DeliveredCall, ...]:
    """The calls of the reply to this request, in their order."""
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
        for index, call in enumerate(replied.calls, replied.part - 1)
        if not call.is_unsaid
    )


def _cut(replied: Replied, closed: ReplyClosed | None, complete: bool) -> str:
    if closed is None:
        return ""
    if closed.outcome in ("reset", "cut"):
        return closed.outcome
    if closed.outcome == "client_gone":
        return "" if complete else "client_gone"
    if replied.finish_reason == "length":
        return "length"
    return "" if complete else "hole"
