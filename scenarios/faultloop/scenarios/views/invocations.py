"""Invocations: what reached the world, and which call of the model each one came from.

A subject that names call ids is believed. For others a call is found by equal tool and arguments,
and where that does not decide, `match` says so and checks take care: they conclude `unknown`
wherever the verdict hangs on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from faultloop.fakes.history import (
    CallAbandoned,
    CallAnswered,
    CallArrived,
    CallHeld,
    EffectApplied,
)
from faultloop.scenarios.argument_text import meanings
from faultloop.scenarios.views.delivered import DeliveredCall
from faultloop.scenarios.views.exchanges import Exchange
from faultloop.scenarios.views.kinds import Kinds

Match = Literal["id", "arguments", "tool", "place", "ambiguous", "none"]
"""By call id; by equal arguments of one reply's calls; by being the last reply's only call of the
tool that had not run; by equal arguments of one call that was said several times; by equal
arguments of several calls; not at all."""

REFUSED_AT_THE_DOOR = frozenset({400, 404, 413, 422})
"""Answers by which the world says that no work began."""


class Invocation(msgspec.Struct, frozen=True, kw_only=True):
    """One try at a tool, as the world saw it."""

    arrived: CallArrived
    held: CallHeld | None
    """Where the world began to keep it waiting, so that what else would start could arrive."""
    effects: tuple[EffectApplied, ...]
    answered: CallAnswered | None
    abandoned: CallAbandoned | None
    call: DeliveredCall | None
    match: Match

    @property
    def tool(self) -> str:
        """The tool's name as it was invoked."""
        return self.arrived.tool

    @property
    def position(self) -> int:
        """Where it arrived."""
        return self.arrived.position

    @property
    def start(self) -> int:
        """Which start of the subject invoked it."""
        return self.arrived.start

    @property
    def ran(self) -> bool:
        """Whether work began: the world did not turn it away for its name or arguments."""
        return self.answered is None or self.answered.status not in REFUSED_AT_THE_DOOR

    @property
    def sure(self) -> bool:
        """Whether it is certain which call it came from."""
        return self.match in ("id", "arguments", "tool")

    @property
    def over(self) -> int | None:
        """Where it was answered or let go of; None if neither happened."""
        ends = [end.position for end in (self.answered, self.abandoned) if end is not None]
        return min(ends) if ends else None

    @property
    def proof(self) -> tuple[int, ...]:
        """Positions of its arrival and its effects."""
        return self.position, *(effect.position for effect in self.effects)


def invocations_of(kinds: Kinds, exchanges: Sequence[Exchange]) -> tuple[Invocation, ...]:
    """The invocations of a history, in order of arrival."""
    held = {entry.invocation: entry for entry in reversed(kinds.of(CallHeld))}
    effects: dict[int, list[EffectApplied]] = {}
    for effect in kinds.of(EffectApplied):
        effects.setdefault(effect.invocation, []).append(effect)
    answered = {entry.invocation: entry for entry in kinds.of(CallAnswered)}
    abandoned = {entry.invocation: entry for entry in kinds.of(CallAbandoned)}
    calls = [call for exchange in exchanges for call in exchange.calls]
    matcher = _Matcher(calls, _aliases(exchanges))
    found: list[Invocation] = []
    for entry in kinds.of(CallArrived):
        call, match = matcher.match(entry)
        found.append(
            Invocation(
                arrived=entry,
                held=held.get(entry.invocation),
                effects=tuple(effects.get(entry.invocation, ())),
                answered=answered.get(entry.invocation),
                abandoned=abandoned.get(entry.invocation),
                call=call,
                match=match,
            )
        )
    return tuple(found)


def _aliases(exchanges: Iterable[Exchange]) -> dict[str, str]:
    """The subject's own ids that stand for one delivered call throughout, to that call's id."""
    found: dict[str, set[str]] = {}
    for exchange in exchanges:
        for alias, call_id in exchange.restored.aliases.items():
            found.setdefault(alias, set()).add(call_id)
    return {alias: ids.pop() for alias, ids in found.items() if len(ids) == 1}


class _Matcher:
    """Finds the call behind each invocation; remembers which calls have run already."""

    def __init__(self, calls: list[DeliveredCall], aliases: Mapping[str, str]) -> None:
        self._calls = calls
        self._aliases = aliases
        self._by_id: dict[str, list[DeliveredCall]] = {}
        for call in calls:
            self._by_id.setdefault(call.id, []).append(call)
        self._meant: dict[int, frozenset[str]] = {}
        self._ran: set[int] = set()

    def match(self, arrived: CallArrived) -> tuple[DeliveredCall | None, Match]:
        """The call that this came from, and how it was found."""
        given = arrived.call_id or ""
        named = self._by_id.get(given) or self._by_id.get(self._aliases.get(given, ""))
        call, match = (self._of(named, arrived), "id") if named else self._by_content(arrived)
        if call is not None:
            self._ran.add(id(call))
        return call, match

    def _of(self, named: list[DeliveredCall], arrived: CallArrived) -> DeliveredCall:
        """Of the calls with one id, of which a broken provider makes several, the likeliest."""
        if len(named) == 1:
            return named[0]
        known = [call for call in named if call.position < arrived.position] or named
        given = meanings(arrived.arguments)
        equal = [call for call in known if self._meanings(call) & given]
        return max(equal or known, key=self._likelihood)

    def _by_content(self, arrived: CallArrived) -> tuple[DeliveredCall | None, Match]:
        if arrived.call_id and any(known in arrived.call_id for known in self._by_id):
            return None, "none"  # the loop's own query about a call, which it named after it
        known = [
            call
            for call in self._calls
            if call.position < arrived.position and (call.tool == arrived.tool or not call.offered)
        ]
        given = meanings(arrived.arguments)
        equal = [call for call in known if self._meanings(call) & given]
        if equal:
            return max(equal, key=self._likelihood), _how_sure(equal)
        last = max((call.request for call in known), default=0)
        idle = [call for call in known if call.request == last and id(call) not in self._ran]
        return (idle[0], "tool") if len(idle) == 1 else (None, "none")

    def _likelihood(self, call: DeliveredCall) -> tuple[bool, bool, int, int]:
        """The charitable guess: a call that did not run yet, may run, and was made last."""
        return id(call) not in self._ran, not call.cut, call.request, -call.index

    def _meanings(self, call: DeliveredCall) -> frozenset[str]:
        if id(call) not in self._meant:
            self._meant[id(call)] = meanings(call.arguments)
        return self._meant[id(call)]


def _how_sure(equal: list[DeliveredCall]) -> Match:
    # One batch's equal calls are interchangeable; those of different replies are not.
    if len({call.request for call in equal}) == 1:
        return "arguments"
    return "place" if len({call.place for call in equal}) == 1 else "ambiguous"
