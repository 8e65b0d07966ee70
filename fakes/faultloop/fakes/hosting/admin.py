"""The API below `/_faultloop`, and the page at `/`. What there is, is the table `SERVICES`.

JSON goes out; scripts come in as text, for the `Hosting` to read. Whatever is wrong is answered
`{"error": {"message": ...}}` in a sentence: 400 for a bad script, 403 for a page of another site
that would change something here, 404 for what is not there.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote

import msgspec

from faultloop.fakes.connection import Connection, LetGo
from faultloop.fakes.hosting.conversations import Hosting, NoScript
from faultloop.fakes.hosting.hosted_script import BadScript, HostedScript
from faultloop.fakes.hosting.live import PAUSE_S, Watcher

API = "/_faultloop"


class Asked(NamedTuple):
    """One request to the API."""

    name: str
    """The conversation that the path names; empty where it names none."""
    connection: Connection


class Told(Exception):
    """A refusal, as an answer."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Admin:
    """The API of one `Hosting`."""

    def __init__(self, hosting: Hosting, failures: Mapping[str, list[Exception]]) -> None:
        """`failures`: what went wrong in faultloop itself, by conversation."""
        self._hosting = hosting
        self._failures = failures

    def serves(self, path: str) -> bool:
        """Whether a path is the API's business."""
        return path in _PAGES or path == API or path.startswith(API + "/")

    async def answer(self, connection: Connection, path: str) -> None:
        """Answer a request to it; `path` still has its escapes."""
        try:
            service, name = _find(connection.method, path)
            _check_origin(service, connection)
            answer = await service.answer(self, Asked(name, connection))
        except NoScript as error:
            await _error(connection, 404, str(error))
        except BadScript as error:
            await _error(connection, 400, str(error))
        except Told as told:
            await _error(connection, told.status, str(told))
        except LetGo:
            connection.break_off()  # nobody is there to be answered
        except asyncio.CancelledError:
            connection.break_off()
            raise
        except Exception as error:
            await connection.fail(_body(f"faultloop itself failed: {error!r}"))
        else:
            if answer is not None:
                await connection.whole(200, _JSON, _encode(answer))

    # --- what there is ----------------------------------------------------------------------

    async def _page(self, asked: Asked) -> None:
        page = files("faultloop.fakes.hosting").joinpath("page.html").read_bytes()
        await asked.connection.whole(200, (("content-type", "text/html; charset=utf-8"),), page)

    async def _icon(self, asked: Asked) -> None:
        await asked.connection.whole(204, (), b"")

    async def _index(self, asked: Asked) -> Any:
        return {f"{one.method} {one.path}": one.does for one in SERVICES if one.does}

    async def _conversations(self, asked: Asked) -> Any:
        script = self._hosting.script
        return {
            "script": None if script is None else _described(script),
            "conversations": [hosted.summary() for hosted in self._hosting.all()],
            "dropped": self._hosting.dropped,
            "failures": {
                name: [repr(error) for error in errors] for name, errors in self._failures.items()
            },
        }

    async def _summary(self, asked: Asked) -> Any:
        return self._hosting.seen(asked.name).summary()

    async def _history(self, asked: Asked) -> Any:
        hosted = self._hosting.seen(asked.name)
        since = _number(asked.connection, "since")
        return {
            "conversation": hosted.name,
            "begun": hosted.summary().begun,
            "entries": hosted.history(since),
            "times_s": [round(at, 6) for at in hosted.stage.history.times_s[since:]],
        }

    async def _requests(self, asked: Asked) -> Any:
        hosted = self._hosting.seen(asked.name)
        return {"conversation": hosted.name, "requests": hosted.requests()}

    async def _load(self, asked: Asked) -> Any:
        text = (await asked.connection.body()).decode(errors="replace")
        script = self._hosting.read(text)
        await self._hosting.load(script, asked.name or None)
        return _described(script)

    async def _reset(self, asked: Asked) -> Any:
        await self._hosting.reset(asked.name or None)
        return await self._conversations(asked)

    async def _forget(self, asked: Asked) -> Any:
        await self._hosting.forget(asked.name)
        return await self._conversations(asked)

    async def _open_gate(self, asked: Asked) -> Any:
        hosted = self._hosting.seen(asked.name)
        hosted.stage.open_gate()
        return hosted.summary()

    async def _events(self, asked: Asked) -> None:
        """A stream of server-sent events: each a conversation's summary, or that it is over."""
        connection, watcher = asked.connection, Watcher()
        await connection.head(
            200, (("content-type", "text/event-stream"), ("cache-control", "no-store"))
        )
        await connection.piece(b": what changes is told from here on\n\n")
        self._hosting.watch(watcher)
        try:
            while names := await watcher.changes(connection.gone):
                await connection.piece(b"".join(self._event(name) for name in names))
                await connection.stall(PAUSE_S)
        finally:
            self._hosting.unwatch(watcher)

    def _event(self, name: str) -> bytes:
        try:
            data = _encode(self._hosting.seen(name).summary())
        except NoScript:
            return b"event: over\ndata: " + _encode({"conversation": name}) + b"\n\n"
        return b"event: conversation\ndata: " + data + b"\n\n"


class Service(NamedTuple):
    """One thing that can be asked for."""

    method: str
    path: str
    """`{name}` is a conversation's name."""
    does: str
    """For people; empty for what a browser asks for by itself."""
    answer: Callable[[Admin, Asked], Awaitable[Any]]
    """What is sent as JSON; None where it has answered itself."""


_ONE = f"{API}/conversations/{{name}}"

SERVICES = (
    Service("GET", "/", "", Admin._page),
    Service("GET", "/favicon.ico", "", Admin._icon),
    Service("GET", API, "This list.", Admin._index),
    Service("GET", f"{API}/conversations", "All that are on, in brief.", Admin._conversations),
    Service("GET", f"{API}/events", "The same as it changes: server-sent events.", Admin._events),
    Service("PUT", f"{API}/script", "Load a script for all that have no own.", Admin._load),
    Service("POST", f"{API}/reset", "Let all begin anew.", Admin._reset),
    Service("GET", _ONE, "One, in brief.", Admin._summary),
    Service("GET", f"{_ONE}/history", "What was observed; ?since=N from there.", Admin._history),
    Service("GET", f"{_ONE}/requests", "What it was asked, word for word.", Admin._requests),
    Service("PUT", f"{_ONE}/script", "Load a script for this one.", Admin._load),
    Service("POST", f"{_ONE}/reset", "Let it begin anew.", Admin._reset),
    Service("POST", f"{_ONE}/gate", "Let work go on that a fault holds.", Admin._open_gate),
    Service("DELETE", _ONE, "End it and forget its own script.", Admin._forget),
)

_PAGES = frozenset(one.path for one in SERVICES if not one.path.startswith(API))


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.escape(path).replace(r"\{name\}", "(?P<name>[^/]+)"))


_PATTERNS = [(_pattern(one.path), one) for one in SERVICES]


def _find(method: str, path: str) -> tuple[Service, str]:
    there = [(one, match) for pattern, one in _PATTERNS if (match := pattern.fullmatch(path))]
    for one, match in there:
        if one.method == method:
            return one, unquote(match.groupdict().get("name", ""))
    if there:
        takes = ", ".join(one.method for one, _ in there)
        raise Told(405, f"{path} takes {takes}, not {method}")
    raise Told(404, f"no such path: {path}; GET {API} lists what there is")


def _check_origin(service: Service, connection: Connection) -> None:
    """Whoever can reach this port may change things here, but not by way of a visitor's browser."""
    origin = connection.header("origin")
    own = (None, f"http://{connection.header('host')}")
    if service.method != "GET" and origin not in own:
        raise Told(403, f"a page of {origin} may change nothing here")


def _number(connection: Connection, name: str) -> int:
    text = dict(parse_qsl(connection.query)).get(name, "0")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Told(400, f"{name} is a number of entries, not {text!r}")
    return int(text)


def _described(script: HostedScript) -> dict[str, Any]:
    return {
        "name": script.name,
        "steps": len(script.steps),
        "faults": [{"kind": fault.kind, "at": fault.at} for fault in script.faults],
        "notes": script.notes,
    }


def _body(message: str) -> bytes:
    return _encode({"error": {"message": message}})


async def _error(connection: Connection, status: int, message: str) -> None:
    await connection.whole(status, _JSON, _body(message))


_encode = msgspec.json.Encoder().encode
_JSON = (("content-type", "application/json"),)
