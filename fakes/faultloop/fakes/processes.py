"""Simulated processes, and the tasks and futures that know their place.

A process is a name in a context: what is created while it is set belongs to it, and so does all
that this creates. Tasks and futures hash by the order of their creation, because sets of them are
iterated (by `asyncio.wait`, by an aborted `TaskGroup`), and by default they hash by address, which
is the allocator's whim. The loop that runs them, and what a kill means, is in `clock`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True, eq=False)
class Process:
    """One simulated process. Made by `SimLoop.process`, ended by `SimLoop.kill_process`."""

    name: str
    death: asyncio.Future[None]
    """Completed when it is killed; never when its tasks simply end."""
    dead: bool = False
    at_death: list[Callable[[], object]] = field(default_factory=list)
    """What the kernel does for the killed: runs in the bench's context soon after the kill."""
    remains: list[SimTask] = field(default_factory=list)
    """Its suspended tasks, kept from the garbage collector, which would run their `finally`."""


PROCESS: ContextVar[Process | None] = ContextVar("faultloop process", default=None)
"""The process that the running code belongs to; tasks and callbacks inherit it when created."""


class SimTask(asyncio.Task[Any]):
    """A task that hashes by creation and knows whose it is."""

    __slots__ = ("context", "process", "serial")

    def __init__(
        self,
        coro: Coroutine[Any, Any, Any],
        *,
        loop: asyncio.AbstractEventLoop,
        serial: int,
        name: str | None,
        context: Context,
    ) -> None:
        self.serial = serial  # before super(): it puts the task into a set
        self.context = context
        self.process: Process | None = context.get(PROCESS)
        # asyncio's default name counts the tasks of all loops of this interpreter.
        super().__init__(coro, loop=loop, name=name or f"task {serial}", context=context)

    @property
    def is_dead(self) -> bool:
        """Whether its process was killed."""
        return self.process is not None and self.process.dead

    def __hash__(self) -> int:
        return self.serial


class SimFuture(asyncio.Future[Any]):
    """A future that hashes by creation."""

    __slots__ = ("serial",)
    serial: int

    def __hash__(self) -> int:
        return self.serial


def current_process() -> Process | None:
    """The simulated process to which the running code belongs; None for the bench."""
    return PROCESS.get()
