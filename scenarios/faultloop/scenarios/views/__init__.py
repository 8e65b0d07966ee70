"""The history, indexed: starts, exchanges, calls and invocations as checks want to see them.

Nothing here judges. One module holds one thing: `starts` the subject's starts, `exchanges` provider
requests with what became of them, `delivered` the calls that they brought, `aliases` the ids under
which a subject shows them, `invocations` what reached the world and which call it came from,
`pairing` what is wrong with a conversation, `kinds` the entries by their kind.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from faultloop.fakes.history import AnyEntry, EffectApplied
from faultloop.scenarios.views.delivered import DeliveredCall
from faultloop.scenarios.views.exchanges import Exchange, exchanges_of
from faultloop.scenarios.views.invocations import Invocation, invocations_of
from faultloop.scenarios.views.kinds import Kinds
from faultloop.scenarios.views.starts import Start, starts_of

__all__ = ["CallTold", "DeliveredCall", "Exchange", "Invocation", "Start", "Views"]


class CallTold(NamedTuple):
    """What the model is told of a call that it made."""

    request: Exchange
    """The request that says it under the call's id."""
    text: str


class Views:
    """All indexes over one history; each is built when it is first asked for."""

    def __init__(self, history: tuple[AnyEntry, ...]) -> None:
        self.history = history

    @cached_property
    def kinds(self) -> Kinds:
        """The entries by their kind."""
        return Kinds(self.history)

    @cached_property
    def starts(self) -> tuple[Start, ...]:
        """The subject's starts, in their order."""
        return starts_of(self.kinds)

    @cached_property
    def all_exchanges(self) -> tuple[Exchange, ...]:
        """Every provider request, in order of arrival."""
        return exchanges_of(self.kinds)

    @cached_property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The requests of the loop itself: without side requests, which offer no tools."""
        return tuple(exchange for exchange in self.all_exchanges if not exchange.side)

    @cached_property
    def calls(self) -> tuple[DeliveredCall, ...]:
        """Every call that the model made, in its order."""
        return tuple(call for exchange in self.exchanges for call in exchange.calls)

    @cached_property
    def invocations(self) -> tuple[Invocation, ...]:
        """What reached the world, in order of arrival."""
        return invocations_of(self.kinds, self.exchanges)

    @cached_property
    def effects(self) -> tuple[EffectApplied, ...]:
        """Every change of the world, in its order."""
        return tuple(self.kinds.of(EffectApplied))

    @cached_property
    def _starts_by_number(self) -> dict[int, Start]:
        return {start.number: start for start in self.starts}

    def start(self, number: int) -> Start | None:
        """A start by its number."""
        return self._starts_by_number.get(number)

    @cached_property
    def _invocations_by_call(self) -> dict[int, list[Invocation]]:
        found: dict[int, list[Invocation]] = {}
        for one in self.invocations:
            found.setdefault(id(one.call), []).append(one)
        return found

    def invocations_of(self, call: DeliveredCall) -> Sequence[Invocation]:
        """Every invocation that came from this call."""
        return self._invocations_by_call.get(id(call), ())

    def invocations_in(self, exchange: Exchange) -> list[Invocation]:
        """Every invocation that came from the calls of its reply, in order of arrival."""
        came = [one for call in exchange.calls for one in self.invocations_of(call)]
        return sorted(came, key=attrgetter("position"))

    @cached_property
    def never_made(self) -> tuple[DeliveredCall, ...]:
        """The calls of which nothing reached the world."""
        return tuple(call for call in self.calls if not self.invocations_of(call))

    @cached_property
    def untraced(self) -> frozenset[str]:
        """The tools of invocations of which it is not certain which call they came from."""
        return frozenset(one.tool for one in self.invocations if not one.sure)

    @cached_property
    def _ran(self) -> frozenset[int]:
        return frozenset(id(one.call) for one in self.invocations if one.ran)

    def has_run(self, call: DeliveredCall) -> bool:
        """Whether the world began to work on it."""
        return id(call) in self._ran

    def told_of(self, call: DeliveredCall) -> CallTold | None:
        """What the requests after a call's reply say of it first; None if none says anything."""
        after = call.closed if call.closed is not None else call.position
        again = [one.position for one in self.calls if one.id == call.id and one.position > after]
        for request in self.requests_after(after):
            if any(position < request.position for position in again):
                return None  # by now the id is another's: what was recorded is sent as it was
            text = request.told_of(call.id)
            if text is not None:
                return CallTold(request, text)
        return None

    def told_after(self, position: int, call: DeliveredCall) -> CallTold | None:
        """What the first request after a position says of a call; None if it says nothing."""
        request = self.request_after(position)
        text = request.told_of(call.id) if request else None
        return None if request is None or text is None else CallTold(request, text)

    @cached_property
    def _arrivals(self) -> list[int]:
        return [exchange.position for exchange in self.exchanges]

    def requests_after(self, position: int) -> Iterator[Exchange]:
        """The loop's own requests from there on."""
        return iter(self.exchanges[bisect_right(self._arrivals, position) :])

    def request_after(self, position: int) -> Exchange | None:
        """The first of them, which could tell the model of what was there before it."""
        return next(self.requests_after(position), None)

    def turn_of(self, exchange: Exchange) -> int:
        """The user message that a request is about: as its reply found it, else as started."""
        if exchange.replied is not None and exchange.replied.cursor != "side":
            return exchange.replied.turn
        start = self.start(exchange.start)
        return start.turn if start else 0
