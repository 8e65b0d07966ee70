"""An httpx transport that really streams an ASGI app, in process, on the running loop.

httpx's own ASGITransport collects the whole body before the client sees a byte; then nothing can
stall, break or be let go of in the middle. Here the app runs as a task of its own, what it sends
goes through a queue piece by piece, and the two sides meet only there:

    client (a subject's task)                          app (the bench's task)
    handle_async_request  <-- head ---------- inbox <-- send
    stream                <-- bytes, end, error -'
    aclose, cancellation, death ---- let_go() -------->  receive gives http.disconnect

The app's task belongs to the bench. When the subject's simulated process is killed, its connections
are closed by its kernel: the app sees a disconnect and goes on, the subject sees nothing any more.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence

import httpx

from faultloop.fakes.asgi import WIRE, AsgiApp, Headers, Message, Scope
from faultloop.fakes.clock import bench_task, current_process


class StageTransport(httpx.AsyncBaseTransport):
    """Carries a client's requests to an ASGI app. One for each client, as a connection pool is."""

    def __init__(self, app: AsgiApp) -> None:
        self._app = app
        self._open: dict[Link, None] = {}  # a set in the order of opening

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request and return the response as soon as its head is there.

        Raises httpx.ReadError where the modelled connection is reset, httpx.RemoteProtocolError
        where it ends too early, httpx.ReadTimeout after the client's own read timeout.
        """
        link = Link(request, await request.aread())
        self._open[link] = None
        process = current_process()
        if process is not None:
            process.at_death.append(link.let_go)

        def over() -> None:
            self._open.pop(link, None)
            link.let_go()
            if process is not None and not process.dead:
                process.at_death.remove(link.let_go)

        link.serve(self._app)
        try:
            head = await link.next()
        except BaseException:
            over()
            raise
        assert isinstance(head, dict), "ASGI: the head comes before the body"
        return httpx.Response(
            head["status"],
            headers=head.get("headers", []),
            stream=_Body(link, over),
            extensions={"http_version": b"HTTP/1.1"},
        )

    def abort(self) -> None:
        """Close all connections at once, as the kernel of a killed client does."""
        for link in tuple(self._open):
            link.let_go()
        self._open.clear()

    async def aclose(self) -> None:
        """Close all connections."""
        self.abort()


class Link:
    """One request and its response; also the modelled `Wire` of the response."""

    modelled = True

    def __init__(self, request: httpx.Request, body: bytes) -> None:
        self.gone = asyncio.Event()
        self._request = request
        self._read_s: float | None = request.extensions.get("timeout", {}).get("read")
        self._inbox: deque[Message | bytes | httpx.TransportError | None] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._body: bytes | None = body
        self._sealed = False
        """The client is told nothing more: the response is complete or the connection broken."""
        self._task: asyncio.Task[None] | None = None

    def serve(self, app: AsgiApp) -> None:
        """Let the app answer, in a task of the bench."""
        self._task = bench_task(self._run(app))

    async def _run(self, app: AsgiApp) -> None:
        try:
            await app(_scope(self._request, self), self.receive, self.send)
        finally:
            self.half_close()

    # --- the app's side ---------------------------------------------------------------------

    async def receive(self) -> Message:
        """ASGI: the request with its whole body, then, once there is one, the disconnect."""
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """ASGI: ignored, as servers do, once the client is gone."""
        if self._sealed or self.gone.is_set():
            return
        if message["type"] == "http.response.start":
            self._put(message)
            return
        if message.get("body"):
            self._put(message["body"])
        if not message.get("more_body"):
            self._seal(None)

    def reset(self) -> None:
        """Wire: the client's next read fails as it does after a TCP RST."""
        self._seal(httpx.ReadError("connection reset by peer (modelled)", request=self._request))
        self.gone.set()

    def half_close(self) -> None:
        """Wire: the client's next read finds no proper end, unless the response has one already."""
        if not self._sealed:
            self._seal(
                httpx.RemoteProtocolError(
                    "peer closed connection without sending complete message body (modelled)",
                    request=self._request,
                )
            )

    def close(self) -> None:
        """Wire: for a client that only reads, the same."""
        self.half_close()

    def cork(self) -> None:
        """Wire: there are no packets."""

    def uncork(self) -> None:
        """Wire: there are no packets."""

    async def flow(self, headers: Headers, pieces: Sequence[bytes]) -> int:
        """Wire: the client's task has its turn after each piece."""
        fields = [(name.encode(), value.encode()) for name, value in headers]
        await self.send({"type": "http.response.start", "status": 200, "headers": fields})
        for sent, data in enumerate(pieces[:-1]):
            if self.gone.is_set():
                return sent
            if data:
                self._put(data)
                await asyncio.sleep(0)
        if self.gone.is_set():
            return len(pieces) - 1
        await self.send({"type": "http.response.body", "body": pieces[-1], "more_body": False})
        return len(pieces)

    def write(self, data: bytes) -> None:
        """Wire: there are no bytes around a body."""

    def trailers(self, fields: Headers) -> None:
        """Wire: there is no frame."""

    def _seal(self, end: httpx.TransportError | None) -> None:
        if not self._sealed:
            self._sealed = True
            self._put(end)

    # --- the client's side ------------------------------------------------------------------

    async def next(self) -> Message | bytes | None:
        """The head, then pieces of the body, then None. Raises what the connection suffered."""
        if not self._inbox:
            await self._arrival()
        item = self._inbox.popleft()
        if isinstance(item, httpx.TransportError):
            raise item
        return item

    async def _arrival(self) -> None:
        loop = asyncio.get_running_loop()
        self._waiter = loop.create_future()
        timer = None if self._read_s is None else loop.call_later(self._read_s, self._late)
        try:
            await self._waiter
        finally:
            if timer is not None:
                timer.cancel()

    def _late(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            why = f"nothing was received for {self._read_s:g} s"
            self._put(httpx.ReadTimeout(why, request=self._request))

    def _put(self, item: Message | bytes | httpx.TransportError | None) -> None:
        self._inbox.append(item)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def let_go(self) -> None:
        """The client is no longer there; nothing if it has had all of the response."""
        self.gone.set()


class _Body(httpx.AsyncByteStream):
    """The body of a response, as it arrives."""

    def __init__(self, link: Link, over: Callable[[], None]) -> None:
        self._link = link
        self._over = over

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (piece := await self._link.next()) is not None:
            assert isinstance(piece, bytes), "ASGI: one head"
            yield piece

    async def aclose(self) -> None:
        self._over()


def _scope(request: httpx.Request, wire: Link) -> Scope:
    url = request.url
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": url.scheme,
        "path": url.path,
        "raw_path": url.raw_path.split(b"?", 1)[0],
        "query_string": url.query,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "server": (url.host, url.port),
        "client": None,
        "extensions": {WIRE: wire},
    }
