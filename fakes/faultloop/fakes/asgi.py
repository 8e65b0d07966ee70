"""The little of ASGI that is used here, and what lies under it: the wire of one connection.

ASGI has no word for breaking a connection. A server that can do it gives the app a `Wire` in the
scope's extensions, under `WIRE`: over a socket it is real, in process it is modelled.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any, Protocol

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

Headers = tuple[tuple[str, str], ...]
"""Of a response: lower-case names and values, in sending order."""

WIRE = "faultloop.transport"
"""Key of the wire in `scope["extensions"]`."""


class Wire(Protocol):
    """The connection that carries a response."""

    @property
    def modelled(self) -> bool:
        """There is no socket: what only the bytes around a body could show is left out."""
        ...

    @property
    def gone(self) -> asyncio.Event:
        """Set as soon as the client has let go of the connection. ASGI has a message for it too,
        but hearing that one takes a task for every request."""
        ...

    def reset(self) -> None:
        """Break the connection at once (TCP RST). What was sent before may or may not arrive."""
        ...

    def half_close(self) -> None:
        """Say that nothing more comes (TCP FIN), without the response's proper end."""
        ...

    def close(self) -> None:
        """Close the connection in both directions (TCP FIN), without the response's proper end."""
        ...

    def cork(self) -> None:
        """Keep back what is sent from here on, until `uncork`, `reset`, `close` or `half_close`."""
        ...

    def uncork(self) -> None:
        """Send what was kept back, in one write; nothing if nothing was."""
        ...

    async def flow(self, headers: Headers, pieces: Sequence[bytes]) -> int:
        """Send a whole response of status 200, its body chunked, each piece by itself, for as long
        as the client is there. ASGI's own way is not to be used for any of it.

        How many pieces were sent; an empty one sends nothing, and counts. The last takes the end
        with it, and whoever awaits this goes on before any client can have acted on that.
        """
        ...

    def write(self, data: bytes) -> None:
        """Send bytes that are no part of the response as HTTP frames it. Nothing, if modelled."""
        ...

    def trailers(self, fields: Headers) -> None:
        """End a chunked body with these fields; the app then ends it as always. Nothing, if
        modelled."""
        ...
