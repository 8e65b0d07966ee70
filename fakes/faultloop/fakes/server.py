"""The fake app behind a real socket, on the event loop that is running.

uvicorn's HTTP protocol is used without uvicorn's server: one asyncio server, no signal handlers, no
lifespan, no log, and an end that waits for nobody (a hung request is what this bench is for). The
protocol is extended by the one thing that ASGI has no word for: the app can break the connection.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import struct
import weakref
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from faultloop.fakes.asgi import WIRE, AsgiApp, Headers

BACKLOG = 2048
"""Connections that may wait to be taken. With fewer than a load brings at once, the rest of it is
told nothing, and tries again after a second, three seconds, seven."""

IN_A_ROW = 16
"""Pieces of a stream that are written, each by itself, before others have their turn."""


class CannotListen(Exception):
    """The server cannot have the address that was asked for; whoever chose it is at fault."""


class PortInUse(CannotListen):
    """Another program listens there already."""


class Server:
    """`async with Server(app) as server:` serves until the block is left; see `url`."""

    def __init__(self, app: AsgiApp, host: str = "127.0.0.1", port: int = 0) -> None:
        """Port 0 takes any free one."""
        self._host = host
        self._port = port
        self._config = uvicorn.Config(
            app,
            http=_Protocol,
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,  # nobody asks who the client is, and each wakening would pass it
            timeout_keep_alive=60,  # seconds; a subject's pool must not lose a race with us
        )
        self._state = ServerState()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """`http://127.0.0.1:PORT`, once it serves."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self._port}"

    async def __aenter__(self) -> Server:
        """Begin to serve. Raises PortInUse or CannotListen."""
        self._config.load()
        listening = _listen(self._host, self._port)
        self._port = listening.getsockname()[1]
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: _Protocol(self._config, self._state, app_state={}, _loop=loop),
            sock=listening,
            backlog=BACKLOG,
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop: connections are aborted and requests cancelled, whatever they wait for."""
        assert self._server is not None
        self._server.close()
        for connection in tuple(self._state.connections):
            connection.transport.abort()
        tasks = tuple(self._state.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._server.wait_closed()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns Nagle's algorithm off only for sockets that say they are TCP; with it on, the
    # body of every answer waits 40 ms for the client to acknowledge its head.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(
                f"port {port} on {host} is in use by another program: "
                "stop that one, or choose another port (0 takes any free one)"
            ) from None
        raise CannotListen(f"cannot listen on port {port} of {host}: {error.strerror}") from None
    listening.setblocking(False)
    return listening


class _Protocol(HttpToolsProtocol):
    """uvicorn's HTTP/1.1 protocol, with the wire in each request's scope."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # uvicorn would ask the logging configuration, which belongs to whoever embeds us.
        self.access_log = False
        self.logger.disabled = True
        self._gone = asyncio.Event()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wire = _SocketWire(self.transport, self._gone)
        extensions: dict[str, Any] = {WIRE: self._wire}
        self.scope["extensions"] = extensions

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        # Weak: its scope holds the wire, and a ring is left to the garbage collector.
        self._wire.exchange = weakref.ref(self.cycle)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._gone.set()


class _SocketWire:
    """The `Wire` of a real connection."""

    modelled = False
    exchange: weakref.ref[RequestResponseCycle]
    """uvicorn's own view of this exchange, which lives as long as the app answers."""

    def __init__(self, transport: asyncio.Transport, gone: asyncio.Event) -> None:
        self.gone = gone
        self._transport = transport

    def reset(self) -> None:
        """Close with a linger time of zero, which makes the kernel send RST instead of FIN."""
        self.uncork()
        if self._transport.is_closing():
            return
        connection = self._transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()

    def half_close(self) -> None:
        """Send FIN and go on listening."""
        self.uncork()
        if not self._transport.is_closing():
            self._transport.write_eof()

    def close(self) -> None:
        """Send FIN and listen no more."""
        self.uncork()
        self._transport.close()

    @property
    def cycle(self) -> RequestResponseCycle:
        """The exchange, which is alive as long as the app answers."""
        cycle = self.exchange()
        assert cycle is not None, "the app is still answering"
        return cycle

    def cork(self) -> None:
        """Let uvicorn write into a list, unless it does so already."""
        if not isinstance(self.cycle.transport, _Corked):
            self.cycle.transport = _Corked(self._transport)

    def uncork(self) -> None:
        """Write what is in the list."""
        corked = self.cycle.transport
        if isinstance(corked, _Corked):
            self.cycle.transport = self._transport
            self._transport.write(b"".join(corked.written))
            if corked.closed:
                self._transport.close()

    async def flow(self, headers: Headers, pieces: Sequence[bytes]) -> int:
        """Past uvicorn, whose way from an app to the transport costs more than the write.

        A piece that the kernel has taken has gone, and the next may follow at once. The event loop
        gets its turn where a transport keeps something back (some write once a round), and after
        every few pieces, so that others are served and a client that lets go is seen to.
        """
        transport, cycle = self._transport, self.cycle
        flow, gone = cycle.flow, self.gone
        ahead = _head(cycle, headers)
        sent, last = 0, len(pieces) - 1
        while True:
            if flow.write_paused:
                await flow.drain()
            if gone.is_set():
                return sent
            if sent == last:
                break
            for data in pieces[sent : min(sent + IN_A_ROW, last)]:
                sent += 1
                if data:
                    transport.write(b"%b%x\r\n%b\r\n" % (ahead, len(data), data))
                    ahead = b""
                    if transport.get_write_buffer_size() or transport.is_closing():
                        break
            await asyncio.sleep(0)
        chunk = b"%x\r\n%b\r\n" % (len(pieces[last]), pieces[last]) if pieces[last] else b""
        transport.write(b"%b%b0\r\n\r\n" % (ahead, chunk))
        _complete(cycle)
        return len(pieces)

    def write(self, data: bytes) -> None:
        """Past uvicorn, in its order."""
        self.cycle.transport.write(data)

    def trailers(self, fields: Headers) -> None:
        """The last chunk, the fields and the end; uvicorn has nothing to add to it."""
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields)
        self.write(f"0\r\n{lines}\r\n".encode("latin-1"))
        self.cycle.chunked_encoding = False


def _head(cycle: RequestResponseCycle, headers: Headers) -> bytes:
    """Begin a chunked response as uvicorn does, but for the writing."""
    cycle.response_started = cycle.chunked_encoding = True
    cycle.waiting_for_100_continue = False
    lines = [f"{name}: {value}\r\n" for name, value in headers]
    if not cycle.keep_alive:
        lines.append("connection: close\r\n")
    return f"HTTP/1.1 200 OK\r\n{''.join(lines)}transfer-encoding: chunked\r\n\r\n".encode()


def _complete(cycle: RequestResponseCycle) -> None:
    """End a response as uvicorn does, once all of it is written."""
    cycle.response_complete = True
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()


class _Corked(asyncio.Transport):
    """Keeps what is written, as far as uvicorn writes."""

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.closed = False
        self._transport = transport

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return self.closed or self._transport.is_closing()

    def close(self) -> None:
        self.closed = True
