"""MCP over stdio, as a pipe to the endpoint of the bench: lines in, HTTP out, lines back.

A subject starts this as its MCP server. It knows no tool and holds no state of the world, so the
ledger stays in the bench and outlives whatever becomes of the subject. Only the standard library is
used, and nothing of this project: it can be run by its path.

    python pipe.py URL                  or FAULTLOOP_MCP_URL names the endpoint

What HTTP has and a stream has not: a gateway's page becomes an error of the protocol that says so,
and a connection that dies before its answer ends this program, as a server that crashed would.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

INTERNAL_ERROR = -32603
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
PAGE_CHARS = 300
"""How much of a page is quoted."""
PIECE_BYTES = 1 << 20
BROKEN = (OSError, http.client.HTTPException)
"""What a connection that breaks raises."""


class Pipe:
    """One client's lines, carried to one URL."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._host, self._port, self._path = parts.hostname or "", parts.port, parts.path
        self._session: dict[str, str] = {}
        """Headers by which the server knows that what comes is of the same client."""
        self._name = f"{os.getpid()}"
        self._output = threading.Lock()

    def run(self) -> None:
        """Carry lines until there are no more."""
        for line in sys.stdin.buffer:
            if line.strip():
                self._carry(line.strip())

    def _carry(self, line: bytes) -> None:
        """Send one line. In its own time only the reply is read, so requests keep their order."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = {}
        if not isinstance(message, dict):
            message = {}
        if message.get("method") == "initialize":
            self._session = {}
        connection = self._send("POST", line, self._headers(message))
        if message.get("id") is None or "method" not in message:
            self._drain(connection)
            if message.get("method") == "notifications/initialized":
                self._listen()
        elif message["method"] == "initialize":
            self._reply(connection, message)
        else:
            self._in_thread(self._reply, connection, message)

    def _listen(self) -> None:
        """What the server says by itself comes on a connection of its own."""
        connection = self._send("GET", None, {"accept": "text/event-stream", **self._session})
        self._in_thread(self._hear, connection)

    def _hear(self, connection: http.client.HTTPConnection) -> None:
        with suppress(*BROKEN):  # who calls a tool will find out, too
            response = connection.getresponse()
            if response.status == 200:
                self._pass_events(response)

    def _drain(self, connection: http.client.HTTPConnection) -> None:
        """What nobody waits for has arrived before the next line is sent."""
        with suppress(*BROKEN):
            connection.getresponse().read()

    def _reply(self, connection: http.client.HTTPConnection, message: dict[str, object]) -> None:
        try:
            self._pass_on(connection.getresponse(), message)
        except BROKEN as error:
            end(f"the connection died before its answer: {error!r}", 1)

    def _pass_on(self, response: http.client.HTTPResponse, message: dict[str, object]) -> None:
        kind = response.getheader("content-type", "")
        if kind.startswith("text/event-stream"):
            self._pass_events(response)
            return
        body = response.read()
        if not kind.startswith("application/json"):
            body = _page(message["id"], response.status, response.reason, body)
        elif message["method"] == "initialize":
            self._begin(response, body)
        self._write(body)

    def _begin(self, response: http.client.HTTPResponse, body: bytes) -> None:
        """A handshake: session and version go with all that follows."""
        session = response.getheader("mcp-session-id")
        agreed = json.loads(body).get("result", {}).get("protocolVersion")
        if session and agreed:
            self._session = {"mcp-session-id": session, "mcp-protocol-version": agreed}

    def _pass_events(self, response: http.client.HTTPResponse) -> None:
        rest = b""
        # Read by lines, a stream that is cut off would look like one that has ended.
        while piece := response.read1(PIECE_BYTES):
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                if line.startswith(b"data: "):
                    self._write(line[len(b"data: ") :])

    def _headers(self, message: dict[str, object]) -> dict[str, str]:
        headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "x-faultloop-pipe": self._name,
        }
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        meta = params.get("_meta")
        version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
        if isinstance(version, str):
            # What comes without an envelope of its own, such as a cancel, is of the same client.
            self._session = {"mcp-protocol-version": _header(version)}
        headers |= self._session
        if not isinstance(version, str):
            return headers
        headers["mcp-method"] = _header(str(message.get("method")))
        if isinstance(params.get("name"), str):
            headers["mcp-name"] = _header(params["name"])
        return headers

    def _send(
        self, method: str, body: bytes | None, headers: dict[str, str]
    ) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection(self._host, self._port)
        try:
            connection.request(method, self._path, body=body, headers=headers)
        except OSError as error:
            end(f"the world cannot be reached: {error}", 1)
        return connection

    def _write(self, message: bytes) -> None:
        with self._output:
            try:
                sys.stdout.buffer.write(message + b"\n")
                sys.stdout.buffer.flush()
            except OSError:
                end("nobody reads what it writes", 1)

    def _in_thread(self, work: Callable[..., None], *arguments: object) -> None:
        threading.Thread(target=work, args=arguments, daemon=True).start()


def end(why: str, code: int) -> None:
    """End at once, whatever other replies are waited for; their connections close with it."""
    if why:
        print(why, file=sys.stderr, flush=True)
    os._exit(code)


def _page(request: object, status: int, reason: str, body: bytes) -> bytes:
    said = " ".join(body.decode(errors="replace").split())[:PAGE_CHARS]
    error = {
        "code": INTERNAL_ERROR,
        "message": f"HTTP {status} {reason} in place of an answer",
        "data": {"status": status, "page": said},
    }
    return json.dumps({"jsonrpc": "2.0", "id": request, "error": error}).encode()


def _header(value: str) -> str:
    """A header's value; what is not plain ASCII goes as base64 between marks."""
    if value.isascii() and value.isprintable() and value == value.strip():
        return value
    return f"=?base64?{base64.b64encode(value.encode(errors='replace')).decode()}?="


def main() -> None:
    """Run as a program."""
    url = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("FAULTLOOP_MCP_URL", "")
    if not url.startswith("http://"):
        end("give the URL of the world's MCP endpoint, or set FAULTLOOP_MCP_URL to it", 2)
    Pipe(url).run()
    end("", 0)


if __name__ == "__main__":
    main()
