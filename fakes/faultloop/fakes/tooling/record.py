"""What becomes of invocations, written into the history; and the answers that go with it.

A fault is written down where its consequence is delivered, and an answer before it is sent.
"""

from __future__ import annotations

from faultloop.fakes.answers import ToolAnswer
from faultloop.fakes.faults.armed import Strike
from faultloop.fakes.history import (
    CallAbandoned,
    CallAnswered,
    CallArrived,
    CallHeld,
    EffectApplied,
    FaultFired,
    History,
)
from faultloop.fakes.ledger import Effect
from faultloop.fakes.tooling.invocation import Invocation, Struck
from faultloop.fakes.tooling.told import Told, as_http, outcome_of

BODY_CHARS_KEPT = 4_000
"""How much of an answer the history keeps."""


class Record:
    """The tool side's hand on the history."""

    def __init__(self, history: History) -> None:
        self._history = history

    @property
    def position(self) -> int:
        """Where the next entry stands."""
        return len(self._history)

    def arrived(self, call: Invocation, *, own: bool) -> None:
        """A call arrived."""
        self._history.put(
            CallArrived(
                position=len(self._history),
                start=call.start,
                invocation=call.number,
                tool=call.tool,
                arguments=call.arguments,
                call_id=call.call_id,
                key=call.key,
                own=own,
            )
        )

    def fired(self, call: Invocation, struck: Struck) -> None:
        """A fault's consequence is being delivered."""
        if struck.strike is not None:
            self._fired(struck.strike, call.start, call.number)

    def drifted(self, strike: Strike, start: int, call: Invocation | None = None) -> None:
        """A drift is seen for the first time: in a listing, or by a call in the old form."""
        self._fired(strike, start, None if call is None else call.number)

    def _fired(self, strike: Strike, start: int, invocation: int | None) -> None:
        self._history.add(
            FaultFired, start=start, fault=strike.fault, kind=strike.kind, invocation=invocation
        )

    def kept(self, call: Invocation) -> None:
        """A call is kept waiting."""
        self._history.add(CallHeld, start=call.start, invocation=call.number)

    def applied(self, call: Invocation, effect: Effect) -> None:
        """The world changed."""
        self._history.add(
            EffectApplied,
            start=call.start,
            invocation=call.number,
            effect=effect.number,
            tool=call.tool,
            what=effect.what,
        )

    def answered(self, call: Invocation, told: Told, *, copies: int = 1) -> ToolAnswer:
        """The world answers; returns what is to be sent."""
        spelt = as_http(told, copies=copies)
        self._history.put(
            CallAnswered(
                position=len(self._history),
                start=call.start,
                invocation=call.number,
                status=spelt.status,
                outcome=outcome_of(told),
                body=spelt.body[: 4 * BODY_CHARS_KEPT].decode(errors="replace")[:BODY_CHARS_KEPT],
            )
        )
        return ToolAnswer(
            invocation=call.number,
            status=spelt.status,
            content_type=spelt.content_type,
            body=spelt.body,
            told=told,
            copies=copies,
        )

    def abandoned(self, call: Invocation, *, stopped: bool, unasked: bool = False) -> None:
        """The client let go, or was lost (`unasked`); there is nobody to be answered."""
        self._history.add(
            CallAbandoned,
            start=call.start,
            invocation=call.number,
            stopped=stopped,
            unasked=unasked,
        )
