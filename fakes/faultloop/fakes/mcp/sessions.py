"""Clients of the MCP endpoint: their sessions, and the calls of each that are under way.

A session begins with `initialize` and ends with DELETE; ids are keyed hashes, so that nobody meets
another's by counting. Where requests have envelopes there are no sessions, and a call is let go of
by closing its connection; only the pipe, whose client has a single stream, names itself.
"""

from __future__ import annotations

import asyncio
from hashlib import blake2b
from weakref import WeakKeyDictionary

from faultloop.fakes.mcp.wire import Id
from faultloop.fakes.stage import Stage


class Client:
    """Whoever asks, as far as its requests belong together."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.calls: dict[Id, asyncio.Event] = {}
        """By request id: what is set to let go of a call."""
        self.ended = asyncio.Event()

    def let_go(self, request: Id | None) -> None:
        """`notifications/cancelled`; of a request that is over it says nothing."""
        if request is not None and request in self.calls:
            self.calls[request].set()


class _Start:
    """The clients of one start of a play."""

    def __init__(self) -> None:
        self.opened = 0
        self.sessions: dict[str, Client] = {}
        self.pipes: dict[str, Client] = {}


class Sessions:
    """All clients, by the play and the start that they belong to."""

    def __init__(self) -> None:
        self._starts: WeakKeyDictionary[Stage, dict[int, _Start]] = WeakKeyDictionary()

    def open(self, stage: Stage, start: int, version: str) -> str:
        """A new session; returns its id."""
        here = self._here(stage, start)
        here.opened += 1
        name = f"{stage.plan.seed}/{stage.plan.play}/{start}/{here.opened}"
        session = blake2b(name.encode(), digest_size=16).hexdigest()
        here.sessions[session] = Client(version)
        return session

    def find(self, stage: Stage, start: int, session: str) -> Client | None:
        """The client of a session that is open."""
        return self._here(stage, start).sessions.get(session)

    def close(self, stage: Stage, start: int, session: str) -> None:
        """A session ends; its calls go on, as they do behind any connection that is lost."""
        client = self._here(stage, start).sessions.pop(session, None)
        if client is not None:
            client.ended.set()

    def pipe(self, stage: Stage, start: int, name: str, version: str) -> Client:
        """The client behind a pipe that names itself."""
        return self._here(stage, start).pipes.setdefault(name, Client(version))

    def _here(self, stage: Stage, start: int) -> _Start:
        return self._starts.setdefault(stage, {}).setdefault(start, _Start())
