"""Invocations: the calls that reached the world, by number, and which of them are under way.

A call is under way from its arrival until it was answered, let go of, or died with its start. Only
who is under way can be waited for; nothing here decides what becomes of a call.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import msgspec

from faultloop.fakes.company import Company
from faultloop.fakes.faults.armed import Strike
from faultloop.fakes.faults.base import Gateway
from faultloop.fakes.speech import Batch


class Invocation(msgspec.Struct, frozen=True, kw_only=True):
    """One call that reached the world."""

    number: int
    start: int
    tool: str
    arguments: str
    batch: Batch | None
    """The calls of the reply that made it, as far as that can be told."""
    call_id: str | None
    key: str | None


class Struck(NamedTuple):
    """A fault that is due at an invocation."""

    gateway: Gateway
    strike: Strike | None


UNSTRUCK = Struck(Gateway(), None)


class Invocations:
    """All calls of a play."""

    def __init__(self, company: Company) -> None:
        self._company = company
        self._all: dict[int, Invocation] = {}
        self._under_way: dict[int, None] = {}
        self._quiet = asyncio.Event()
        self._quiet.set()

    def __getitem__(self, number: int) -> Invocation:
        return self._all[number]

    def add(
        self,
        start: int,
        tool: str,
        arguments: str,
        *,
        batch: Batch | None,
        call_id: str | None,
        key: str | None,
    ) -> Invocation:
        """A call arrived."""
        call = Invocation(
            number=len(self._all) + 1,
            start=start,
            tool=tool,
            arguments=arguments,
            batch=batch,
            call_id=call_id,
            key=key,
        )
        self._all[call.number] = call
        self._under_way[call.number] = None
        self._quiet.clear()
        self._company.arrived(start, batch, call.number, call_id)
        return call

    def settle(self, call: Invocation) -> None:
        """No more work is done for a call; its answer may be on its way."""
        self._under_way.pop(call.number, None)
        if not self._under_way:
            self._quiet.set()

    def over(self, call: Invocation) -> None:
        """Nothing more comes of a call, and nobody is to be answered."""
        self._company.over(call.number)
        self.settle(call)

    def is_under_way(self, call: Invocation) -> bool:
        """Whether anything more comes of a call."""
        return call.number in self._under_way

    @property
    def are_settled(self) -> bool:
        """Whether no call is under way."""
        return not self._under_way

    async def settled(self) -> None:
        """Wait until no call is under way."""
        await self._quiet.wait()
