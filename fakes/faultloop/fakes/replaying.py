"""Recorded answers on their way back to the wire: status, headers and pieces as they came.

The time between two pieces passes as far as the recording's `pace` says. Who is told of what, and
when, is as for any reply (`app`).
"""

from __future__ import annotations

from faultloop.fakes.answers import Ending, Said
from faultloop.fakes.connection import Connection
from faultloop.fakes.recorded import Recorded
from faultloop.fakes.stage import Stage


async def replay(stage: Stage, said: Said, recorded: Recorded, connection: Connection) -> None:
    """Send a reply that was recorded, and tell the stage how it ended."""
    sent = await send(stage, recorded, connection, request=said.request)
    is_whole = sent == len(recorded.body)
    gone = connection.gone.is_set() and not is_whole
    if recorded.broken and not gone:
        ending = Ending("reset", (), 0)
    else:
        ending = said.ending(len(said.items) if is_whole else 0, gone=gone)
    await stage.closed(said.request, ending)


async def send(
    stage: Stage, recorded: Recorded, connection: Connection, *, request: int | None = None
) -> int:
    """Send an answer; returns how many pieces were sent. `request`: it is a reply to this one."""
    headers = tuple(recorded.headers.items())
    if not recorded.streamed and not recorded.broken:
        headers = (*headers, ("content-length", str(len(recorded.data))))
    await connection.head(recorded.status, headers)
    is_watched = request is not None and bool(stage.plan.triggers)
    sent = 0
    for chunk in recorded.body:
        if stage.plan.recording.pace and chunk.after_ms:
            await connection.stall(chunk.after_ms / 1000 * stage.plan.recording.pace)
        if connection.gone.is_set():
            break
        sent += 1
        await connection.piece(chunk.data, more=recorded.broken or sent < len(recorded.body))
        if is_watched and request is not None:
            await stage.sent_chunk(request, sent)
    if recorded.broken:
        connection.break_off()
    await connection.end()
    return sent
