"""Carries a reply whose bytes are in trouble: the long way, act by act, for byte faults.

The short way is in `app`; nothing comes here unless a byte fault is due. A fault that changes
nothing that this wire can show does not fire, and is reported as one that never did.
"""

from __future__ import annotations

import asyncio

from faultloop.fakes.answers import Said
from faultloop.fakes.connection import Connection
from faultloop.fakes.dialects.dialect import Dialect
from faultloop.fakes.reply import Eof, Reset, Stall
from faultloop.fakes.stage import Stage
from faultloop.fakes.wire import (
    NOT_MODELLED,
    Act,
    Acts,
    Break,
    Cork,
    Delivered,
    End,
    Excess,
    Head,
    Shows,
    Trailers,
    Wait,
    first_change,
)


async def carry(stage: Stage, said: Said, dialect: Dialect, connection: Connection) -> None:
    """Send a reply with the byte faults that are due; the stage is told how far it came."""
    acts = struck(acts_of(said, dialect), said, modelled=connection.wire.modelled)
    items, how = 0, ""
    await connection.flush()  # how the bytes come is the point
    for at, act in enumerate(acts):
        if connection.gone.is_set() and not connection.over:
            break
        match act:
            case Shows():
                stage.struck(said.request, act.fault, act.kind, modelled=connection.wire.modelled)
            case Delivered():
                items = act.items
                if act.chunk is not None and stage.plan.triggers:
                    await stage.sent_chunk(said.request, act.chunk)
            case Stall():
                await stage.stalled(said.request, items + 1)
                await connection.stall(act.seconds)
            case Break():
                how = act.how
                break
            case _:
                await _do(act, acts[at + 1 :], connection)
    gone = connection.gone.is_set() and not connection.over and not how
    if how:
        await asyncio.sleep(0)  # some event loops write once a round, and a reset drops the rest
        _break(how, connection)
    connection.wire.uncork()
    await stage.closed(said.request, said.ending(items, gone=gone, broken=how))
    if how in ("half_closed", "held"):
        await connection.gone.wait()


async def _do(act: Act, rest: Acts, connection: Connection) -> None:
    match act:
        case Head():
            length = () if act.length is None else (("content-length", str(act.length)),)
            await connection.head(200, (*act.headers, *length))
        case bytes():
            # The last piece takes the end with it, so that the history can close the reply before
            # a client has acted on it.
            is_last = all(isinstance(one, Delivered | Excess | End | Shows) for one in rest)
            await connection.piece(act, more=not (is_last and End() in rest))
        case Wait():
            await connection.stall(act.seconds)
        case Cork():
            connection.wire.cork()
        case Excess():
            connection.wire.write(act.data)
        case Trailers():
            connection.wire.trailers(act.fields)
        case End():
            await connection.end()
        case _:
            raise AssertionError(f"{act} is done elsewhere")


def _break(how: str, connection: Connection) -> None:
    wire = connection.wire
    connection.over = True
    if how == "reset":
        wire.reset()
    elif how == "closed":
        wire.close()
    elif how == "half_closed":
        wire.half_close()


def acts_of(said: Said, dialect: Dialect) -> Acts:
    """The reply as it would travel without byte faults."""
    headers = dialect.headers(streamed=said.streaming, reply_id=said.reply.id)
    if not said.streaming:
        body = dialect.whole(said.reply, said.frame)
        return Head(headers, len(body)), body, Delivered(len(said.items)), End()
    acts: list[Act] = [Head(headers, None)]
    spelling = dialect.stream(said.reply, said.frame)
    chunks = 0
    for number, item in enumerate(said.items, 1):
        match item:
            case Stall():
                acts += [item, Delivered(number)]
            case Reset():
                return *acts, Delivered(number), Break("reset")
            case Eof():
                acts.append(Delivered(number))
                break
            case _:
                data = spelling.event(item)
                if data:
                    chunks += 1
                    acts.append(data)
                acts.append(Delivered(number, chunks if data else None))
    return *acts, End()


def struck(acts: Acts, said: Said, *, modelled: bool) -> Acts:
    """The acts after all faults that are due, and before each consequence whose it is."""
    for strike, fault in said.byte_faults:
        changed = fault.travel(acts)
        if modelled:
            if any(isinstance(act, Trailers) for act in changed):
                continue  # all that it does lies in the frame
            changed = tuple(act for act in changed if not isinstance(act, NOT_MODELLED))
        at = first_change(acts, changed)
        if at is not None:
            acts = *changed[:at], Shows(strike.fault, strike.kind), *changed[at:]
    return acts
