"""An OpenAI-compatible server that says what a test wants, and counts what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, NamedTuple

Body = dict[str, Any]
NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class Said(NamedTuple):
    """One HTTP response."""

    status: int
    body: Body | bytes
    headers: Mapping[str, str] = NO_HEADERS
    hang: bool = False
    """The connection ends before the body does."""


Saying = Callable[[int, Body], Said]
"""From the number of the request, from 0, and its body."""


def says(
    *calls: tuple[str, str], text: str | None = None, finish: str = "stop", usage: bool = True
) -> Said:
    """A completion: calls as (name, arguments)."""
    message = {
        "role": "assistant",
        "content": text,
        "tool_calls": [
            {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": args}}
            for number, (name, args) in enumerate(calls)
        ],
    }
    body: Body = {"choices": [{"index": 0, "message": message, "finish_reason": finish}]}
    if usage:
        body["usage"] = {
            "prompt_tokens": 100,
            "completion_tokens": 10,
            "prompt_tokens_details": {"cached_tokens": 40},
        }
    return Said(200, body)


def refuses(status: int, message: str, code: str = "", **headers: str) -> Said:
    """An error as OpenAI has it."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Said(status, {"error": {"message": message, "code": code or None}}, named)


class Scripted:
    """The server. `asked` holds the bodies that came, in their order."""

    def __init__(self, saying: Saying) -> None:
        self.asked: list[Body] = []
        self.keys: list[str] = []
        self._saying = saying
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                with scripted._lock:
                    number = len(scripted.asked)
                    scripted.asked.append(body)
                    scripted.keys.append(self.headers.get("authorization", ""))
                said = scripted._saying(number, body)
                raw = said.body if isinstance(said.body, bytes) else json.dumps(said.body).encode()
                self.send_response(said.status)
                for name, value in {"content-type": "application/json", **said.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(raw) + said.hang))
                self.end_headers()
                self.wfile.write(raw)
                self.close_connection = said.hang

            def log_message(self, *args: object) -> None:
                pass

        return Handler

    @contextmanager
    def serving(self) -> Iterator[Scripted]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()


def serving(saying: Saying | Said) -> Any:
    """`with serving(says(...)) as server:`"""
    return Scripted(saying if callable(saying) else lambda number, body: saying).serving()
