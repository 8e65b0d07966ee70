"""Calls whose connection was lost where that says nothing about the call.

MCP with a handshake, over HTTP: "Disconnection SHOULD NOT be interpreted as the client cancelling
its request. To cancel, the client SHOULD explicitly send an MCP CancelledNotification."
https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
The work goes on and nobody is answered; a cancel may still come and stop it. Work without an end
is no longer under way: it waits for that cancel, or for its stage to close.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from faultloop.fakes.faults.base import Gateway
from faultloop.fakes.tooling.invocation import Invocation, Invocations
from faultloop.fakes.tooling.record import Record


class Disconnected:
    """Those of one play."""

    def __init__(self, record: Record, invocations: Invocations, told: set[int]) -> None:
        """`told`: calls of which it is written down that nobody waits for them any more."""
        self._record = record
        self._invocations = invocations
        self._told = told
        self._lost: dict[int, asyncio.Event] = {}

    @contextmanager
    def watched(self, call: Invocation, gateway: Gateway, lost: asyncio.Event) -> Iterator[None]:
        """Write down where the connection is lost while there is work on the call."""
        self._lost[call.number] = lost
        watch = asyncio.ensure_future(self._watch(call, gateway, lost))
        try:
            yield
        finally:
            watch.cancel()
            del self._lost[call.number]

    def has(self, call: Invocation) -> bool:
        """Whether nobody can be answered."""
        lost = self._lost.get(call.number)
        return lost is not None and lost.is_set()

    async def _watch(self, call: Invocation, gateway: Gateway, lost: asyncio.Event) -> None:
        await lost.wait()
        if not self._invocations.is_under_way(call):
            return  # it died with its start
        if call.number not in self._told:
            self._told.add(call.number)
            self._record.abandoned(call, stopped=False, unasked=not gateway.deaf)
        if gateway.hang:
            self._invocations.over(call)
