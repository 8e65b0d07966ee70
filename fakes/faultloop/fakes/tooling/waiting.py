"""Where an invocation waits: at the gate, for the others of its batch, for its work to take long.

Nothing happens to the world here. Who waits may be let go of meanwhile; then the work has stopped,
unless it is deaf.
"""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from faultloop.fakes.company import Company
from faultloop.fakes.held import Held
from faultloop.fakes.tooling.invocation import Invocation, Struck
from faultloop.fakes.tooling.record import Record
from faultloop.fakes.world.world import World

Tier = Literal["sim", "real"]


class Waiting:
    """The waits of one play."""

    def __init__(
        self, *, held: Held, company: Company, world: World, record: Record, tier: Tier
    ) -> None:
        self._held = held
        self._company = company
        self._world = world
        self._record = record
        self._tier = tier
        self._listeners: dict[int, asyncio.Event] = {}
        self.let_go: set[int] = set()
        """Calls of which it is written down that nobody waits for them, though work goes on."""

    def listen(self, call: Invocation, kept: asyncio.Event) -> None:
        """Set the event once a call is kept waiting."""
        self._listeners[call.number] = kept

    async def for_ever(self, call: Invocation, gone: asyncio.Event) -> None:
        """Wait until the client lets go."""
        self._keep(call)
        await self._held.until(gone)

    async def through(
        self, call: Invocation, args: dict[str, Any], struck: Struck, gone: asyncio.Event
    ) -> bool:
        """Wait where the work takes long. False: it was let go of and stopped."""
        gateway = struck.gateway
        takes_s = self._world.duration_s(call.tool, args)
        at_gate = gateway.hold or (takes_s > 0 and self._tier == "real")
        if gateway.hold or gateway.last:
            self._record.fired(call, struck)
        if gateway.last or (not self._held.is_open if at_gate else takes_s > 0):
            self._keep(call)
        if gateway.last:
            await self._company.finish_last(call.number, gone)
            if gone.is_set():
                return False
        if at_gate:
            return await self._stand_at_gate(call, gone, deaf=gateway.deaf)
        return await self._held.for_s(takes_s, gone) if takes_s > 0 else True

    async def _stand_at_gate(self, call: Invocation, gone: asyncio.Event, *, deaf: bool) -> bool:
        is_open = await self._held.at_gate(gone, deaf=deaf)
        if is_open and not (deaf and gone.is_set()):
            return True
        if not deaf:
            return False
        if call.number not in self.let_go:
            self.let_go.add(call.number)
            self._record.abandoned(call, stopped=False)
        return await self._held.at_gate()

    def _keep(self, call: Invocation) -> None:
        self._record.kept(call)
        listener = self._listeners.pop(call.number, None)
        if listener is not None:
            listener.set()
