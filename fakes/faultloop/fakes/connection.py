"""One HTTP exchange as the fake app sees it: read a request, send a response, know who is gone.

`gone` is set as soon as the client lets go. Sending to a client that is gone does nothing, as on
every server: whoever cares looks at `gone`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from faultloop.fakes.asgi import WIRE, Headers, Receive, Scope, Send, Wire


class LetGo(Exception):
    """The client let go before its request had come whole: it asked for nothing."""


class Connection:
    """One exchange, on a server that tells of its wire (`fakes.server`, `fakes.transport`)."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, *, coalesce: bool = False
    ) -> None:
        """`coalesce`: keep pieces back and send them in one, until something stalls or ends."""
        self.method: str = scope["method"]
        self.wire: Wire = scope["extensions"][WIRE]
        self.gone = self.wire.gone
        self.query: str = scope.get("query_string", b"").decode("latin-1")
        self.headers: dict[str, str] = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        """By lower-case name."""
        self._receive = receive
        self._send = send
        self._begun = False
        self._kept: list[bytes] | None = [] if coalesce else None
        self.over = False
        """The whole response was sent, or the connection was broken off."""

    async def body(self) -> bytes:
        """Read the request's whole body. Raises LetGo where it never comes to its end."""
        pieces: list[bytes] = []
        more = True
        while more:
            message = await self._receive()
            if message["type"] != "http.request":
                raise LetGo
            pieces.append(message.get("body", b""))
            more = message.get("more_body", False)
        return b"".join(pieces)

    def header(self, name: str) -> str | None:
        """A request header; `name` in lower case."""
        return self.headers.get(name)

    async def head(self, status: int, headers: Headers) -> None:
        """Begin the response."""
        self._begun = True
        if self._kept is not None:
            self.wire.cork()
        await self._send(
            {
                "type": "http.response.start",
                "status": status,
                "headers": [(name.encode(), value.encode()) for name, value in headers],
            }
        )

    async def piece(self, data: bytes, *, more: bool = True) -> None:
        """Send a piece of the body; without `more` it is the last."""
        if self.over:
            return
        if self._kept is not None:
            self._kept.append(data)
            if more:
                return
            data = b"".join(self._kept)
        self.over = not more
        await self._send({"type": "http.response.body", "body": data, "more_body": more})
        if self._kept is not None:
            self.wire.uncork()
        elif more:
            # A server that writes without waiting would send all in one go and see no disconnect.
            await asyncio.sleep(0)

    async def flow(self, headers: Headers, pieces: Sequence[bytes]) -> int:
        """Send a whole response with this body, piece by piece; how many were sent before the
        client let go.

        An empty piece sends nothing, and counts. The last one takes the end with it, so that the
        history can close the reply before a client has acted on it.
        """
        self._begun = True
        if self._kept is not None:
            sent = len(pieces) * await self.wire.flow(headers, [b"".join(pieces)])
        else:
            sent = await self.wire.flow(headers, pieces)
        self.over = sent == len(pieces)
        return sent

    async def end(self) -> None:
        """End the body properly, if it has not ended yet."""
        await self.piece(b"", more=False)

    async def whole(self, status: int, headers: Headers, body: bytes) -> None:
        """Send a response in one go."""
        await self.head(status, (*headers, ("content-length", str(len(body)))))
        await self.piece(body, more=False)

    def break_off(self) -> None:
        """Reset the connection, unless the response is over."""
        if not self.over:
            self.over = True
            self.wire.reset()

    async def flush(self) -> None:
        """Send what was kept back; from here on nothing is."""
        kept, self._kept = self._kept, None
        if kept is not None:
            self.wire.uncork()
        if kept:
            await self.piece(b"".join(kept))

    async def fail(self, body: bytes) -> None:
        """The bench itself failed: a 500 if there is still time, else a broken connection."""
        if self._begun:
            self.break_off()
        else:
            await self.whole(500, (("content-type", "application/json"),), body)

    async def stall(self, seconds: float | None) -> None:
        """Send nothing for that long, or, with None, for as long as the client stays."""
        await self.flush()
        try:
            async with asyncio.timeout(seconds):
                await self.gone.wait()
        except TimeoutError:
            pass
