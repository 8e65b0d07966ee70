"""The MCP endpoint of a start: `/r/PLAY/START/mcp`, as streamable HTTP.

    POST     one message; a request is answered as JSON or as events
    GET      events that belong to no request: that the list of tools has changed
    DELETE   the session is over

The pipe for stdio (`fakes.mcp.pipe`) comes here as well, so there is one server, and the ledger
stays where it is. Tools, history and faults are the stage's; nothing of them is kept here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from faultloop.fakes.connection import Connection
from faultloop.fakes.mcp import results, wire
from faultloop.fakes.mcp.asking import SESSION, Asked, asked, guard, has_envelope, of_session
from faultloop.fakes.mcp.calling import call
from faultloop.fakes.mcp.replying import SERVER, accepted, complete, events, refuse, reply
from faultloop.fakes.mcp.sessions import Sessions
from faultloop.fakes.mcp.wire import (
    ENVELOPE_VERSIONS,
    METHOD_NOT_FOUND,
    SUBSCRIPTION_KEY,
    Message,
    Refusal,
)
from faultloop.fakes.stage import Stage

CAPABILITIES = {"tools": {"listChanged": True}}

_CHANGED = "notifications/tools/list_changed"
_FRESH = {"ttlMs": 0, "cacheScope": "private"}
"""A list of tools is out of date at once."""


class Endpoint:
    """MCP for all plays of an app."""

    def __init__(self) -> None:
        self._sessions = Sessions()

    async def serve(self, stage: Stage, start: int, connection: Connection) -> None:
        """Answer one HTTP request."""
        message: Message | None = None
        try:
            guard(connection)
            if connection.method == "POST":
                message = wire.read(await connection.body())
                who = asked(stage, start, message, connection, self._sessions)
                await self._answer(who, connection)
            elif connection.method == "GET":
                client = of_session(stage, start, connection.headers, self._sessions)
                await events(connection)
                await _listen(stage, client.ended, connection, {})
            elif connection.method == "DELETE":
                of_session(stage, start, connection.headers, self._sessions)
                self._sessions.close(stage, start, connection.headers[SESSION])
                await connection.whole(200, (), b"")
            else:
                await connection.whole(405, (("allow", "GET, POST, DELETE"),), b"")
        except Refusal as refusal:
            request = refusal.request if message is None else message.id
            envelope = message is not None and has_envelope(message, connection.headers)
            await refuse(refusal, request, connection, has_envelope=envelope)

    async def _answer(self, who: Asked, connection: Connection) -> None:
        message = who.message
        if message.method is None or message.id is None:
            if message.method == "notifications/cancelled":
                who.client.let_go(message.params.request_id)
            await accepted(connection)
        elif message.method == "initialize" and not who.has_envelope:
            session = self._sessions.open(who.stage, who.start, who.version)
            greeting = {"protocolVersion": who.version, "capabilities": CAPABILITIES}
            greeted = wire.result(message.id, {**greeting, "serverInfo": SERVER})
            await reply(greeted, connection, ((SESSION, session),))
        else:
            method = (_WITH_ENVELOPE if who.has_envelope else _IN_SESSION).get(message.method)
            if method is None:
                why = f"there is no method {message.method!r} here"
                raise Refusal(METHOD_NOT_FOUND, why)
            await method(who, connection)


async def _ping(who: Asked, connection: Connection) -> None:
    await _result(who, connection, {})


async def _discover(who: Asked, connection: Connection) -> None:
    said = {"supportedVersions": list(ENVELOPE_VERSIONS), "capabilities": CAPABILITIES}
    await _result(who, connection, {**said, **_FRESH})


async def _list(who: Asked, connection: Connection) -> None:
    tools = [results.entry(tool) for tool in who.stage.listed(who.start)]
    await _result(who, connection, {"tools": tools, **(_FRESH if who.has_envelope else {})})


async def _subscribe(who: Asked, connection: Connection) -> None:
    """A stream of what was asked for; of that there is only the list of tools."""
    mark = {"_meta": {SUBSCRIPTION_KEY: who.message.id}}
    wanted = who.message.params.notifications.get("toolsListChanged") is True
    granted: dict[str, Any] = {"notifications": {"toolsListChanged": True} if wanted else {}}
    told = wire.notification("notifications/subscriptions/acknowledged", granted | mark)
    await events(connection)
    await connection.piece(wire.event(told))
    assert who.message.id is not None, "a request has an id"
    let_go = who.client.calls[who.message.id] = asyncio.Event()
    try:
        await _listen(who.stage, let_go, connection, mark, hears=wanted)
    finally:
        who.client.calls.pop(who.message.id, None)


async def _listen(
    stage: Stage,
    ended: asyncio.Event,
    connection: Connection,
    mark: dict[str, Any],
    *,
    hears: bool = True,
) -> None:
    """Tell of each change of the list until the client has enough, or is gone."""
    changed = asyncio.Event()
    if hears:
        stage.list_changed.append(changed.set)
    waits = {asyncio.ensure_future(event.wait()) for event in (ended, connection.gone)}
    try:
        while True:
            change = asyncio.ensure_future(changed.wait())
            waits.add(change)
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            if ended.is_set() or connection.gone.is_set():
                break
            changed.clear()
            waits.remove(change)
            await connection.piece(wire.event(wire.notification(_CHANGED, mark)))
    finally:
        for wait in waits:
            wait.cancel()
        if hears:
            stage.list_changed.remove(changed.set)
    await connection.end()


async def _result(who: Asked, connection: Connection, content: dict[str, Any]) -> None:
    assert who.message.id is not None, "a request has an id"
    await reply(wire.result(who.message.id, complete(who, content)), connection)


Method = Callable[[Asked, Connection], Awaitable[None]]

_IN_SESSION: dict[str, Method] = {"ping": _ping, "tools/list": _list, "tools/call": call}
_WITH_ENVELOPE: dict[str, Method] = {
    "server/discover": _discover,
    "tools/list": _list,
    "tools/call": call,
    "subscriptions/listen": _subscribe,
}
