"""One `tools/call`: carried to the stage, and answered as JSON, as events, or not at all.

The answer is JSON where the call is answered at once. Where the world keeps it waiting, events
begin: progress, if the client gave a token for it, and at the end the result. Events are also the
only form in which an answer can come twice. A call is let go of by `notifications/cancelled`, and
by closing its connection where requests have envelopes or come through the pipe; after a handshake
a lost connection lets go of nothing. Either way nobody is answered.
"""

from __future__ import annotations

import asyncio
from typing import Any

from faultloop.fakes.answers import ToolAnswer
from faultloop.fakes.connection import Connection
from faultloop.fakes.mcp import identity, results, wire
from faultloop.fakes.mcp.asking import PIPE, Asked
from faultloop.fakes.mcp.replying import complete, events, refuse, reply
from faultloop.fakes.mcp.wire import INVALID_PARAMS, Refusal
from faultloop.fakes.tooling.told import Page


async def call(asked: Asked, connection: Connection) -> None:
    """Carry out a call; one that has no object for arguments is written down all the same, as it
    came. Raises Refusal for one that names no tool."""
    name, arguments = _what(asked)
    meta, stage = asked.message.params.meta, asked.stage
    request = asked.message.id
    assert request is not None, "a call is a request"
    gone, kept = asyncio.Event(), asyncio.Event()
    closing_lets_go = asked.has_envelope or connection.header(PIPE) is not None
    work = asyncio.ensure_future(
        stage.invoke(
            asked.start,
            name,
            arguments,
            call_id=identity.call_id(meta, stage.known_call) or connection.header("x-call-id"),
            key=identity.key(meta) or connection.header("idempotency-key"),
            gone=gone,
            kept=kept,
            lost=None if closing_lets_go else connection.gone,
        )
    )
    asked.client.calls[request] = gone
    progress = _Progress(meta.get("progressToken"), connection)
    try:
        await _watched(work, kept, gone, progress, connection.gone if closing_lets_go else gone)
    finally:
        work.cancel()  # nothing, where it is done
        asked.client.calls.pop(request, None)
    answer = work.result()
    if answer is not None and not arguments.startswith(b"{"):
        refusal = Refusal(INVALID_PARAMS, "the arguments of tools/call are an object")
        await refuse(refusal, request, connection, has_envelope=asked.has_envelope)
        await stage.delivered(answer.invocation)
        return
    await _send(answer, asked, connection, progress)


def _what(asked: Asked) -> tuple[str, bytes]:
    """The tool, and its arguments as they were written."""
    params = asked.message.params
    if params.name is None:
        raise Refusal(INVALID_PARAMS, "tools/call needs the name of a tool")
    return params.name, bytes(params.arguments)


class _Progress:
    """The events of a call that is kept waiting."""

    def __init__(self, token: object, connection: Connection) -> None:
        self._token = token if isinstance(token, int | str) else None
        self._connection = connection
        self.begun = False

    async def begin(self) -> None:
        """The call is kept waiting: from here on its answer comes as events."""
        self.begun = True
        await events(self._connection)
        await self._tell(0, "it has begun and takes its time")

    async def end(self) -> None:
        """The work is over."""
        await self._tell(1, "it is over")

    async def _tell(self, progress: int, message: str) -> None:
        if self._token is None:
            return
        told: dict[str, Any] = {"progressToken": self._token, "progress": progress}
        told |= {"total": 1, "message": message}
        sent = wire.event(wire.notification("notifications/progress", told))
        await self._connection.piece(sent)


async def _watched(
    work: asyncio.Future[ToolAnswer | None],
    kept: asyncio.Event,
    gone: asyncio.Event,
    progress: _Progress,
    leaves: asyncio.Event,
) -> None:
    """Wait for the work, and hear meanwhile that it is kept waiting, or that `leaves` lets go."""
    waits = asyncio.ensure_future(kept.wait()), asyncio.ensure_future(leaves.wait())
    held, left = waits
    try:
        while not work.done():
            if left.done():
                gone.set()
            if held.done() and not progress.begun:
                await progress.begin()
                continue  # meanwhile anything may have come
            pending: set[asyncio.Future[Any]] = {work, *(one for one in waits if not one.done())}
            await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()


async def _send(
    answer: ToolAnswer | None, asked: Asked, connection: Connection, progress: _Progress
) -> None:
    if answer is None:
        if not progress.begun:
            await events(connection)
        await connection.end()
        return
    if answer.status == 0 or (isinstance(answer.told, Page) and progress.begun):
        connection.break_off()  # a gateway that has begun to pass an answer on can only do the same
        return
    if isinstance(answer.told, Page):
        head = (("content-type", answer.content_type),)
        await connection.whole(answer.status, head, answer.body)
    else:
        await _tell(answer, asked, connection, progress)
    await asked.stage.delivered(answer.invocation)


async def _tell(
    answer: ToolAnswer, asked: Asked, connection: Connection, progress: _Progress
) -> None:
    request = asked.message.id
    assert request is not None, "a call is a request"
    try:
        content = results.result(answer.told, version=asked.version)
        message = wire.result(request, complete(asked, content))
    except Refusal as refusal:
        if not progress.begun:
            await refuse(refusal, request, connection, has_envelope=asked.has_envelope)
            return
        message = wire.error(request, refusal)
    if answer.copies == 1 and not progress.begun:
        await reply(message, connection)
        return
    if progress.begun:
        await progress.end()
    else:
        await events(connection)
    await connection.piece(wire.event(message) * answer.copies, more=False)
