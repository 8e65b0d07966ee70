"""One session in a file that several agents want, each as of a process of its own.

The clock by which its leases are judged stands still until a story sets it forward.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from faultloop.bench.drills.kit.model import Line, Scripted
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.toys import Toy
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent
from faultloop.loop.journal.port import Fenced
from faultloop.loop.lease.file import TTL_S

T = TypeVar("T")

IN_MEMORY = Path("/dev/shm")
"""Where files are kept if there is such a place: how fast a disk is proves nothing."""


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for the files of a drill."""
    where = IN_MEMORY if IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="faultloop-drill-", dir=where) as made:
        yield Path(made)


class Shared:
    """The session, and all that is known of it."""

    def __init__(self, kit: Kit, store: Callable[[Path], Fenced], path: Path) -> None:
        self.kit = kit
        self.now_s = 1_000_000.0
        self._store = store
        self._path = path
        self._opened: list[Fenced] = []

    def agent(self, *lines: Line, tools: Sequence[Toy] = ()) -> Agent:
        """Another process that wants the session."""
        journal = self._store(self._path)
        self._opened.append(journal)
        return self.kit.agent(
            provider=Scripted(*lines),
            tools=self.kit.registry([self.kit.tool(tool) for tool in tools]),
            journal=journal,
            session="session",
            policy=self.kit.policy(self.kit.base),
            lease=self.kit.lease(journal, lambda: self.now_s),
        )

    def expire(self) -> None:
        """Let the time pass that a lease lasts without a heartbeat."""
        self.now_s += TTL_S

    def events(self) -> list[AnyEvent]:
        """The journal, by a handle of its own."""
        journal = self._store(self._path)
        self._opened.append(journal)
        return journal.load()

    def close(self) -> None:
        """Let go of all files."""
        for journal in self._opened:
            journal.close()


@contextmanager
def shared(kit: Kit) -> Iterator[tuple[Shared, ...]]:
    """A session for each store of the kit."""
    with folder() as where:
        sessions = tuple(
            Shared(kit, store, where / f"journal.{number}")
            for number, store in enumerate(kit.stores)
        )
        try:
            yield sessions
        finally:
            for session in sessions:
                session.close()
