"""The fake app: provider and tools of all plays behind one ASGI callable.

    /r/PLAY/START/v1/chat/completions   a dialect's endpoint (each dialect names its own routes)
    /r/PLAY/START/tools                 GET: the tools' manifest
    /r/PLAY/START/tools/NAME            POST: one invocation
    /r/PLAY/START/mcp                   the same tools over MCP

It only carries. What is said and what happens is the stage's; how it is spelt, the dialect's. Here
a reply's items become sends, one each, and troubles become what they are on a wire. Where this
bench itself fails, the client gets a 500 that says so, and the play finds the exception in
`failures`.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import cast
from urllib.parse import parse_qsl

import msgspec

from faultloop.fakes.answers import Rejected, Said
from faultloop.fakes.asgi import Headers, Receive, Scope, Send
from faultloop.fakes.carrying import carry
from faultloop.fakes.connection import Connection, LetGo
from faultloop.fakes.dialects.dialect import BadRequest, Dialect, HttpRequest
from faultloop.fakes.mcp.endpoint import Endpoint
from faultloop.fakes.replaying import replay, send
from faultloop.fakes.reply import Delta, Eof, Reset, Stall
from faultloop.fakes.routing import NoSuchRoute, find
from faultloop.fakes.stage import Stage


class App:
    """ASGI app. Plays are put into `stages`, by id, while they are on."""

    def __init__(self, stages: dict[str, Stage] | None = None, *, coalesce: bool = False) -> None:
        """`coalesce`: a stream goes out in one write, as far as its troubles allow: for those who
        want many replies and do not look at how they come."""
        self._coalesce = coalesce
        self.stages: dict[str, Stage] = {} if stages is None else stages
        self.failures: dict[str, list[Exception]] = {}
        """By play: what went wrong in the bench itself while it answered. Makes a play unknown."""
        self._mcp = Endpoint()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            raise ValueError(f"the fake app speaks HTTP, not {scope['type']}")
        connection = Connection(scope, receive, send, coalesce=self._coalesce)
        play = ""
        try:
            play, stage, start, path = self.locate(scope["path"])
            if path == "/mcp":
                await self._mcp.serve(stage, start, connection)
            else:
                await _serve(stage, start, path, connection)
        except NoSuchRoute as error:
            await _nowhere(error, connection)
        except LetGo:
            connection.break_off()  # nobody's request, and nobody is there to be answered
        except asyncio.CancelledError:
            # The stage let go of work that it held for ever, or the server stops.
            connection.break_off()
            raise
        except Exception as error:
            self.failures.setdefault(play, []).append(error)
            await connection.fail(_error(f"faultloop itself failed: {error!r}", "bench_failure"))

    def locate(self, url_path: str) -> tuple[str, Stage, int, str]:
        """Play, stage, start and the path below the start. Raises NoSuchRoute."""
        parts = url_path.split("/", 4)
        if len(parts) != 5 or parts[0] or parts[1] != "r" or not _START.fullmatch(parts[3]):
            raise NoSuchRoute(
                f"no such path: {url_path}; this server knows /r/PLAY/START/v1/..., "
                "/r/PLAY/START/tools and /r/PLAY/START/mcp"
            )
        play, start = parts[2], int(parts[3])
        stage = self.stages.get(play)
        if stage is None:
            raise NoSuchRoute(f"no play {play!r} is on: it is over, or the URL is not one of ours")
        return play, stage, start, "/" + parts[4]


async def _serve(stage: Stage, start: int, path: str, connection: Connection) -> None:
    head, _, tool = path.partition("/tools/")
    if path == "/tools":
        _expect("GET", path, connection)
        await connection.whole(200, _JSON, msgspec.json.encode(stage.manifest(start)))
    elif tool and not head:
        _expect("POST", path, connection)
        await _invoke(stage, start, tool, connection)
    elif (kept := stage.asides.take(connection.method, path)) is not None:
        await connection.body()
        await send(stage, kept, connection)
    else:
        dialect, route, words = find(connection.method, path, connection.headers)
        body = await connection.body()
        asked = connection.query
        query = dict(parse_qsl(asked, keep_blank_values=True)) if asked else {}
        request = HttpRequest(route, path, query, connection.headers, body, words)
        if route.variant is not None:
            dialect = route.variant(request)
        serve = _answer if route.service == "reply" else _aside
        await serve(stage, start, dialect, request, connection)


async def _nowhere(error: NoSuchRoute, connection: Connection) -> None:
    headers, body = _JSON, _error(str(error), "not_found")
    if error.dialect is not None:
        headers = error.dialect.error_headers(status=error.status)
        body = error.dialect.error(status=error.status, code="not_found", message=str(error))
    await connection.whole(error.status, headers, body)


def _expect(method: str, path: str, connection: Connection) -> None:
    if connection.method != method:
        raise NoSuchRoute(f"{path} takes {method}, not {connection.method}", status=405)


# --- the provider ---------------------------------------------------------------------------


async def _aside(
    stage: Stage, start: int, dialect: Dialect, request: HttpRequest, connection: Connection
) -> None:
    try:
        status, headers, body = 200, _JSON, dialect.aside(request)
    except BadRequest as bad:
        status, headers = bad.status, dialect.error_headers(status=bad.status)
        body = dialect.error(status=status, code=bad.code, message=bad.message, param=bad.param)
    await connection.whole(status, headers, body)


async def _answer(
    stage: Stage, start: int, dialect: Dialect, request: HttpRequest, connection: Connection
) -> None:
    try:
        conversation = dialect.parse(request)
    except BadRequest as bad:
        answer: Said | Rejected = await stage.unreadable(start, dialect.name, bad, request.body)
    else:
        answer = await stage.answer(start, dialect.name, conversation)
    if isinstance(answer, Rejected):
        await _reject(stage, answer, dialect, connection)
        await stage.sent_failure(answer.request)
    elif answer.byte_faults:
        await carry(stage, answer, dialect, connection)
    elif answer.recorded is not None:
        await replay(stage, answer, answer.recorded, connection)
    elif answer.streaming:
        flows = answer.is_smooth and not stage.plan.triggers
        await (_flow if flows else _stream)(stage, answer, dialect, connection)
    else:
        await _whole(stage, answer, dialect, connection)


async def _reject(stage: Stage, answer: Rejected, dialect: Dialect, connection: Connection) -> None:
    if answer.recorded is not None and answer.recorded.dialect == dialect.name:
        await send(stage, answer.recorded, connection)
        return
    if answer.page is not None:
        await connection.whole(answer.status, _HTML, answer.page.encode())
        return
    request_id = f"{answer.request:024}"
    headers = dialect.error_headers(
        status=answer.status, retry_after_s=answer.retry_after_s, request_id=request_id
    )
    body = dialect.error(
        status=answer.status,
        code=answer.code,
        message=answer.message,
        param=answer.param,
        retry_after_s=answer.retry_after_s,
        request_id=request_id,
    )
    await connection.whole(answer.status, headers, body)


async def _whole(stage: Stage, said: Said, dialect: Dialect, connection: Connection) -> None:
    gone = connection.gone.is_set()
    headers = dialect.headers(streamed=False, reply_id=said.reply.id)
    body = dialect.whole(said.reply, said.frame)
    await connection.whole(200, headers, body)
    await stage.closed(said.request, said.ending(0 if gone else len(said.items), gone=gone))


async def _flow(stage: Stage, said: Said, dialect: Dialect, connection: Connection) -> None:
    """A stream to which nothing happens, and of which nobody waits for a chunk."""
    spelling = dialect.stream(said.reply, said.frame)
    deltas = cast("tuple[Delta, ...]", said.items)  # no fault has put anything else among them
    pieces = [spelling.event(delta) for delta in deltas]
    headers = dialect.headers(streamed=True, reply_id=said.reply.id)
    sent = await connection.flow(headers, pieces)
    await stage.closed(said.request, said.ending(sent, gone=sent < len(pieces)))


async def _stream(stage: Stage, said: Said, dialect: Dialect, connection: Connection) -> None:
    spelling = dialect.stream(said.reply, said.frame)
    await connection.head(200, dialect.headers(streamed=True, reply_id=said.reply.id))
    is_watched = bool(stage.plan.triggers)  # else nobody waits for a chunk
    sent = chunks = 0
    for item in said.items:
        if connection.gone.is_set():
            break
        sent += 1
        match item:
            case Stall(seconds=seconds):
                await stage.stalled(said.request, sent)
                await connection.stall(seconds)
            case Reset():
                await connection.flush()
                connection.break_off()
                break
            case Eof():
                break
            case _:
                if data := spelling.event(item):
                    # The last piece takes the end with it, so that the history can close the
                    # reply before a client has acted on it.
                    chunks += 1
                    await connection.piece(data, more=sent < len(said.items))
                    if is_watched:
                        await stage.sent_chunk(said.request, chunks)
    gone = connection.gone.is_set() and not connection.over
    await connection.end()
    await stage.closed(said.request, said.ending(sent, gone=gone))


# --- the tools ------------------------------------------------------------------------------


async def _invoke(stage: Stage, start: int, tool: str, connection: Connection) -> None:
    answer = await stage.invoke(
        start,
        tool,
        await connection.body(),
        call_id=connection.header("x-call-id"),
        key=connection.header("idempotency-key"),
        gone=connection.gone,
    )
    if answer is None:
        return
    if answer.status == 0:
        connection.break_off()
        return
    await connection.whole(answer.status, (("content-type", answer.content_type),), answer.body)
    await stage.delivered(answer.invocation)


_START = re.compile(r"[0-9]{1,9}")
_JSON: Headers = (("content-type", "application/json"),)
_HTML = (("content-type", "text/html"),)


def _error(message: str, code: str) -> bytes:
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
    return json.dumps({"error": error}).encode()
