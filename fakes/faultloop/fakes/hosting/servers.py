"""A `Hosting` behind a socket: on the running event loop, or on a thread of its own.

Nothing is asked of whoever uses it: a test may be sync or async, on any loop or none. What belongs
to the serving loop is only touched there; `HostThread.ask` and `do` go over there and wait.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from types import TracebackType
from typing import Any, TypeVar

from faultloop.fakes.hosting.app import HostApp
from faultloop.fakes.hosting.base_urls import BaseUrls
from faultloop.fakes.hosting.conversations import Hosting
from faultloop.fakes.server import Server

T = TypeVar("T")

DEFAULT_CONVERSATION = "default"


class Host:
    """`async with Host(hosting) as host:` serves until the block is left; see `url`."""

    def __init__(
        self, hosting: Hosting, *, host: str = "127.0.0.1", port: int = 0, coalesce: bool = False
    ) -> None:
        """Port 0 takes any free one. `coalesce`: as in `App`."""
        self.hosting = hosting
        self.app = HostApp(hosting, coalesce=coalesce)
        self._server = Server(self.app, host, port)

    @property
    def url(self) -> str:
        """Of the page; conversations are below `/c/NAME`."""
        return self._server.url

    def base_urls(self, conversation: str = DEFAULT_CONVERSATION) -> BaseUrls:
        """Where the SDKs find a conversation."""
        return BaseUrls.at(self.url, conversation)

    async def __aenter__(self) -> Host:
        """Begin to serve. Raises PortInUse or CannotListen."""
        await self._server.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop: connections are aborted and conversations end."""
        await self._server.__aexit__(kind, error, trace)
        await self.hosting.close()


class HostThread:
    """`with HostThread(hosting) as host:` serves on a thread until the block is left."""

    def __init__(
        self, hosting: Hosting, *, host: str = "127.0.0.1", port: int = 0, coalesce: bool = False
    ) -> None:
        """Port 0 takes any free one. `coalesce`: as in `App`."""
        self._host = Host(hosting, host=host, port=port, coalesce=coalesce)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="faultloop host", daemon=True)
        self._serving: Future[None] = Future()

    @property
    def url(self) -> str:
        """Of the page; conversations are below `/c/NAME`."""
        return self._host.url

    def base_urls(self, conversation: str = DEFAULT_CONVERSATION) -> BaseUrls:
        """Where the SDKs find a conversation."""
        return self._host.base_urls(conversation)

    @property
    def failures(self) -> list[Exception]:
        """What went wrong in faultloop itself while it answered."""
        return [error for errors in self._host.app.failures.values() for error in errors]

    def ask(self, question: Callable[[Hosting], T]) -> T:
        """Let the serving thread look at its `Hosting`; returns or raises what it finds."""

        async def answer(hosting: Hosting) -> T:
            return question(hosting)

        return self.do(answer)

    def do(self, order: Callable[[Hosting], Coroutine[Any, Any, T]]) -> T:
        """Let the serving thread do something with it, and wait for the end."""
        assert self._loop is not None, "it serves within its `with` block only"
        return asyncio.run_coroutine_threadsafe(order(self._host.hosting), self._loop).result()

    def __enter__(self) -> HostThread:
        """Begin to serve. Raises PortInUse or CannotListen."""
        self._thread.start()
        self._serving.result()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop, and wait for the thread's end."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._loop = None

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            if self._serving.done():
                raise
            self._serving.set_exception(error)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        async with self._host:
            self._serving.set_result(None)
            await self._stop.wait()
