"""Company: which calls of one reply are under way beside each other.

A call that is to finish last waits here for the others of its batch. Nobody can know which of them
a loop is going to send, so the wait ends at the latest when nothing has moved for a while: then the
loop waits for this very call. In sim that while is virtual and comes exactly when nothing else can
happen; in the real tier it is the one place where the bench waits by the clock. A loop that once
left a call alone makes one after the other, and is waited for less with the rest of that batch.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from faultloop.fakes.held import Held
from faultloop.fakes.speech import Batch

QUIET_S = 0.5
"""So long nothing of the batch must have moved: loops that send calls side by side do so within a
few milliseconds of each other."""
ALONE_S = 0.1
"""The same in a batch of which a call was left alone before."""
CROWD = 17
CROWD_S = 2.5
"""The same where so many wait side by side already, more than in the pools in use: then the rest is
on its way, and a busy machine may take its time to open that many connections."""
BUSY_S = 5.0
"""The same while another call of the batch is being worked on."""
LEAD_S = 0.1
"""How far ahead the others' answers are, so that no client sees them the other way round."""


@dataclass(slots=True)
class _Batch:
    """What has been seen of the calls of one reply."""

    size: int | None
    """How many calls it has; None where no reply is known to have made them."""
    arrived: set[str] = field(default_factory=set)
    busy: set[int] = field(default_factory=set)
    """Invocations under way, without those that wait for the others."""
    waiting: int = 0
    """Invocations that wait for the others."""
    one_by_one: bool = False
    """Whether one of them waited for nobody."""
    moved: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def quiet_s(self) -> float:
        """After how long without a move nothing more is expected of it."""
        if self.waiting >= CROWD:
            return CROWD_S
        return ALONE_S if self.one_by_one else QUIET_S

    @property
    def is_over(self) -> bool:
        return not self.busy and self.size is not None and len(self.arrived) >= self.size


class Company:
    """The batches of one play."""

    def __init__(self, held: Held) -> None:
        self._held = held
        self._batches: dict[tuple[int, int], _Batch] = {}
        """By start and request."""
        self._places: dict[int, _Batch] = {}
        """By invocation."""

    def arrived(self, start: int, batch: Batch | None, invocation: int, call: str | None) -> None:
        """A call arrived; `call` is its id, where the subject gives one."""
        key = (start, batch.request if batch else 0)
        place = self._batches.get(key)
        if place is None:
            place = self._batches[key] = _Batch(batch.calls if batch else None)
        self._places[invocation] = place
        place.arrived.add(call or f"invocation {invocation}")
        place.busy.add(invocation)
        place.moved.set()

    def over(self, invocation: int) -> None:
        """A call was answered, let go of, or died."""
        place = self._places[invocation]
        place.busy.discard(invocation)
        place.moved.set()

    async def finish_last(self, invocation: int, gone: asyncio.Event) -> None:
        """Wait until the rest of the batch is over, or is not going to come; or until `gone`."""
        place = self._places[invocation]
        self.over(invocation)
        moves, waited = True, False
        place.waiting += 1
        while moves and not (place.is_over or gone.is_set()):
            place.moved.clear()
            within_s = BUSY_S if place.busy else place.quiet_s
            moves = await self._held.moved(place.moved, within_s, gone)
            waited = True
        place.one_by_one |= not moves and place.waiting == 1
        place.waiting -= 1
        if moves and waited:
            await self._held.for_s(LEAD_S, gone)
        place.busy.add(invocation)
