"""Deltas in, one assistant message out, whatever an adapter does on the way (SPEC P2, P3, P11).

Think of the deltas as cards dealt onto piles: text has one pile, each call has its own. Which pile
a card belongs to is told by index first, then by id, then by what the last card said; `_pile_of`
holds those rules and nothing else does. The message is put together once, at the end, and only a
proper end makes it a reply: a parse that happens to succeed proves nothing. Until then it gives
away nothing but the provider's token counts, which are owed however the stream ends, and, to
whoever asks for them, piles onto which nothing can fall any more (`settled`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Literal, assert_never

import msgspec
from msgspec.structs import replace

from faultloop.loop import strict_json
from faultloop.loop.message import AssistantMessage, Call, FinishReason
from faultloop.loop.output import clean
from faultloop.loop.providers.port import (
    CallDelta,
    Delta,
    EndDelta,
    FinishDelta,
    TextDelta,
    UsageDelta,
)
from faultloop.loop.strict_json import Value

Ending = Literal["whole", "cut", "broken"]
"""`whole`: the reply had its proper end. `cut`: its end says that something is missing.
`broken`: neither finish reason nor end mark came, so it is no reply at all (SPEC D5)."""

CUTTING: frozenset[FinishReason] = frozenset({"length", "content_filter"})
"""Finish reasons that forbid running the calls, whatever they look like (SPEC P1)."""

TOKENS_MAX = 2**53
"""A count beyond this is a mistake; it is also the largest that every JSON reader takes."""

MISSING_NAME = "missing_name"
"""Stands for the name of a call that never got one."""


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """All that came of one model request."""

    message: AssistantMessage
    ending: Ending
    usage: UsageDelta | None


@dataclass(slots=True)
class _Pile:
    """One call's cards."""

    index: int | None
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    settled: bool = False
    """It has been given away as a whole call."""
    looked_at: int = 0
    """How many cards of arguments it had when it was last found to be no whole call."""


class Assembler:
    """Puts one reply together."""

    def __init__(self, message_id: str, *, taken: Collection[str] = ()) -> None:
        """`taken`: call ids that the conversation has used already; none is ever used twice."""
        self._message_id = message_id
        self._taken = taken
        self._text: list[str] = []
        self._piles: list[_Pile] = []
        self._settled: list[_Pile] = []
        self._calls: list[Call] = []
        """What was made of the settled piles, and is never made anew."""
        self._begun = 1
        """Piles there were when `settled` last looked at them; one alone can never settle."""
        self._finish: FinishDelta | None = None
        self._usage: UsageDelta | None = None
        self._ended = False

    def feed(self, delta: Delta) -> None:
        """Take the next delta. Content that comes after its end is ignored (SPEC P3)."""
        over = self._ended or self._finish is not None
        match delta:
            case CallDelta():
                if not over:
                    self._take(delta)
            case TextDelta():
                if not over:
                    self._text.append(delta.text)
            case FinishDelta():
                self._finish = _stricter(self._finish, delta)
            case UsageDelta():
                self._usage = _plausible(delta)
            case EndDelta():
                self._ended = True
            case _:
                assert_never(delta)

    @property
    def usage(self) -> UsageDelta | None:
        """The provider's counts so far, if it gave any."""
        return self._usage

    def settled(self) -> tuple[Call, ...]:
        """Calls that have been found whole since this was last asked, in the model's order (L4).

        A call is whole once another has begun after it and its arguments are one JSON object: an
        object tells its own end, and that no second one is glued to it is known once the model has
        gone on to the next call. The piles are looked at when a call begins, and only as far as
        the first that is not whole; one that lacks its id or name, or whose index says that others
        come before it, waits for the end of the reply. What is given away stays as it is: its block
        has ended, and a delta that comes for it is ignored (SPEC P3).
        """
        if len(self._piles) <= self._begun or self._finish is not None or self._ended:
            return ()
        self._begun = len(self._piles)
        known = len(self._calls)
        used = {call.id for call in self._calls}
        waiting = self._in_order()[known:]
        while waiting[0] is not self._piles[-1] and _is_whole(waiting[0], len(self._calls)):
            pile = waiting.pop(0)
            pile.settled = True
            self._settled.append(pile)
            self._calls.append(self._call(len(self._calls), pile, used))
        return tuple(self._calls[known:])

    def finish(self) -> Reply:
        """The reply, once nothing more will come."""
        ending = self._ending()
        calls = list(self._calls)
        used = {call.id for call in calls}
        for number, pile in enumerate(self._in_order()):
            if not pile.settled:
                calls.append(self._call(number, pile, used))
        return Reply(
            message=AssistantMessage(
                id=self._message_id,
                text=clean("".join(self._text)),
                calls=tuple(calls),
                finish_reason=self._finish.reason if self._finish else None,
                truncated=ending == "cut",
            ),
            ending=ending,
            usage=self._usage,
        )

    def _ending(self) -> Ending:
        if self._finish is not None and self._finish.reason in CUTTING:
            return "cut"
        return "whole" if self._finish is not None or self._ended else "broken"

    def _take(self, delta: CallDelta) -> None:
        if not (delta.id or delta.name or delta.arguments):
            return  # an empty card names no pile
        pile = self._pile_of(delta)
        if pile is None:
            pile = _Pile(index=delta.index)
            self._piles.append(pile)
        if delta.id and not pile.id:
            pile.id = delta.id
        if delta.name:
            pile.name = _grown(pile.name, delta.name)
        if delta.arguments:
            pile.arguments.append(delta.arguments)

    def _pile_of(self, delta: CallDelta) -> _Pile | None:
        """The pile that a card belongs to; None starts a new one. Among several the latest: some
        adapters use one index, or none, for every call."""
        piles = self._piles
        if not delta.id and not delta.name:  # most cards bring arguments only
            for pile in reversed(piles):
                if delta.index is None or delta.index == pile.index:
                    return pile
            return None
        if delta.index is not None:
            piles = [pile for pile in piles if pile.index == delta.index]
        if delta.id:
            known = [pile for pile in piles if pile.id == delta.id]
            if known:
                return known[-1]
        if not piles or _begins_another(piles[-1], delta):
            return None
        return piles[-1]

    def _in_order(self) -> list[_Pile]:
        """The model's order: by index, and where it is missing or shared, by arrival.

        What is settled keeps the place that it was given.
        """
        piles = self._piles
        if self._settled:
            piles = [pile for pile in piles if not pile.settled]
        if not any(pile.index is None for pile in self._piles):
            piles = sorted(piles, key=lambda pile: pile.index or 0)
        return [*self._settled, *piles]

    def _call(self, number: int, pile: _Pile, used: set[str]) -> Call:
        call_id = self._fresh_id(number, clean(pile.id), used)
        used.add(call_id)
        return Call(
            id=call_id,
            name=clean(pile.name) or MISSING_NAME,
            arguments=clean("".join(pile.arguments)),
        )

    def _fresh_id(self, number: int, given: str, used: set[str]) -> str:
        """The call's own id, or a recognisable stand-in where it is missing or already used."""
        if given and given not in used and given not in self._taken:
            return given
        why = "reused_id" if given else "missing_id"
        mark = blake2b(f"{self._message_id}/{number}".encode(), digest_size=8).hexdigest()
        return f"{why}_{mark}"


def _is_whole(pile: _Pile, place: int) -> bool:
    """Whether a pile after which another has begun is a whole call, and the one of this place."""
    if not pile.id or not pile.name or (pile.index or 0) > place:
        return False
    if pile.looked_at == len(pile.arguments):
        return False  # nothing has come since it was last found wanting
    pile.looked_at = len(pile.arguments)
    read = strict_json.read(clean("".join(pile.arguments)))
    return isinstance(read, Value) and isinstance(read.value, dict)


def _begins_another(pile: _Pile, delta: CallDelta) -> bool:
    """Whether a card that would fall on this pile is in truth the first card of another call.

    A second id is another call, but where there is an index only together with a name: some
    adapters invent an id for every chunk. Without ids a new name after arguments have begun is
    one, and without an index so is the same name after arguments that are already whole.
    """
    if delta.id and pile.id:
        return bool(delta.name) or delta.index is None
    if not delta.name or not pile.arguments:
        return False
    if not pile.name and delta.index is not None:
        return False  # its own name, and late
    if delta.name != pile.name:
        return True
    return delta.index is None and isinstance(strict_json.read("".join(pile.arguments)), Value)


def _grown(name: str, piece: str) -> str:
    """A name that came repeated, growing, or in pieces."""
    if piece == name or piece.startswith(name):
        return piece
    return name if name.startswith(piece) and len(piece) > 1 else name + piece


def _stricter(first: FinishDelta | None, second: FinishDelta) -> FinishDelta:
    """Of two finish reasons the first, unless only the second forbids running the calls."""
    if first is None or (second.reason in CUTTING and first.reason not in CUTTING):
        return second
    return first


def _plausible(usage: UsageDelta) -> UsageDelta:
    """No count below nothing, which would be a refund, and none beyond what a journal can hold."""
    return replace(
        usage,
        input_tokens=_count(usage.input_tokens),
        output_tokens=_count(usage.output_tokens),
        cached_tokens=_count(usage.cached_tokens),
    )


def _count(tokens: int) -> int:
    return min(max(0, tokens), TOKENS_MAX)
