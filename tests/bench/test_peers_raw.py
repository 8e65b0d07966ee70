"""The raw client: what it tells of a server that does just this."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from faultloop.bench.perf.peers.raw import Ending, Heard, Request, ask

HEAD = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
RESET = struct.pack("ii", 1, 0)


@contextmanager
def server(says: bytes, then: str) -> Iterator[int]:
    """Answers one request with these bytes, and then does this."""
    asked_again = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1 << 16)
                connection.sendall(says)
                if then == "reset":
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                if then == "wait":
                    asked_again.wait()

        thread = threading.Thread(target=serve)
        thread.start()
        yield listening.getsockname()[1]
        asked_again.set()
        thread.join()


@pytest.mark.parametrize(
    ("says", "then", "ended", "body"),
    [
        (HEAD + b"3\r\nabc\r\n0\r\n\r\n", "wait", "last chunk", b"abc"),
        (HEAD + b"0\r\n\r\n", "wait", "last chunk", b""),
        (HEAD + b"3\r\nabc\r\n", "close", "FIN", b"abc"),
        (HEAD + b"9\r\nabc", "close", "FIN", b"abc"),
        (HEAD + b"3\r\nabc\r\n", "wait", "silence", b"abc"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", "wait", "Content-Length", b"abc"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc", "close", "FIN", b"abc"),
        (b"", "close", "FIN", b""),
    ],
)
def test_how_a_response_ends(says: bytes, then: str, ended: Ending, body: bytes) -> None:
    patience_s = 0.1 if ended == "silence" else 60.0
    with server(says, then) as port:
        heard = ask(port, Request(path="/").encode(), patience_s=patience_s)
    assert (heard.ended, heard.body, heard.data) == (ended, body, says)
    assert heard.status == (200 if says else None)


def test_a_reset_is_no_fin() -> None:
    with server(b"", "reset") as port:
        assert ask(port, Request(path="/").encode()).ended == "RST"


def test_chunks_are_told_apart_from_events() -> None:
    said = HEAD + b"8\r\ndata: a\n\r\n9\r\n\ndata: b\n\r\n1\r\n\n\r\n0\r\n\r\n"
    heard = Heard(reads=(said[:50], said[50:]), ended="last chunk")
    assert heard.chunks == [b"data: a\n", b"\ndata: b\n", b"\n"]
    assert heard.events == [b"data: a", b"data: b"]
