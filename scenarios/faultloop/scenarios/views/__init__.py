"""The history, indexed: starts, exchanges, calls and invocations as checks want to see them.

Nothing here judges. One module holds one thing: `starts` the subject's starts, `exchanges` provider
requests with what became of them, `delivered` the calls that they brought, `aliases` the ids under
which a subject shows them, `invocations` what reached the world and which call it came from,
`pairing` what is wrong with a conversation.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from faultloop.fakes.history import AnyEntry, EffectApplied
from faultloop.scenarios.views.delivered import DeliveredCall
from faultloop.scenarios.views.exchanges import Exchange, exchanges_of
from faultloop.scenarios.views.invocations import Invocation, invocations_of
from faultloop.scenarios.views.starts import Start, starts_of

__all__ = ["DeliveredCall", "Exchange", "Invocation", "Start", "Views"]


class Views:
    """All indexes over one history; each is built when it is first asked for."""

    def __init__(self, history: tuple[AnyEntry, ...]) -> None:
        self.history = history

    @cached_property
    def starts(self) -> tuple[Start, ...]:
        """The subject's starts, in their order."""
        return starts_of(self.history)

    @cached_property
    def all_exchanges(self) -> tuple[Exchange, ...]:
        """Every provider request, in order of arrival."""
        return exchanges_of(self.history)

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
        return invocations_of(self.history, self.exchanges)

    @cached_property
    def effects(self) -> tuple[EffectApplied, ...]:
        """Every change of the world, in its order."""
        return tuple(entry for entry in self.history if isinstance(entry, EffectApplied))

    def start(self, number: int) -> Start | None:
        """A start by its number."""
        return next((start for start in self.starts if start.number == number), None)

    def invocations_of(self, call: DeliveredCall) -> tuple[Invocation, ...]:
        """Every invocation that came from this call."""
        return tuple(one for one in self.invocations if one.call is call)

    def requests_after(self, position: int) -> Iterator[Exchange]:
        """The loop's own requests from there on."""
        return (exchange for exchange in self.exchanges if exchange.position > position)

    def turn_of(self, exchange: Exchange) -> int:
        """The user message that a request is about: as its reply found it, else as started."""
        if exchange.replied is not None and exchange.replied.cursor != "side":
            return exchange.replied.turn
        start = self.start(exchange.start)
        return start.turn if start else 0
