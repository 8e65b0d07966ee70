"""The proxy passes everything on as it comes, and keeps what it saw."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable

import httpx
import pytest

from faultloop.bench.recording.seen import Exchange
from faultloop.bench.recording.upstream import BadUpstream, Upstream
from faultloop.fakes.asgi import Receive, Scope, Send
from faultloop.fakes.connection import Connection
from faultloop.fakes.hosting import BaseUrls

from .leaks import said
from .studio import app_served, recorded, sent, written

STREAM = (("content-type", "text/event-stream"),)
JSON = (("content-type", "application/json"),)
ASKED = {"model": "m", "messages": [{"role": "user", "content": "Go."}]}


class Upstream_:  # noqa: N801
    """An upstream that does what a test wants with one connection."""

    def __init__(self, act: Callable[..., object]) -> None:
        self._act = act
        self.requests: list[tuple[Scope, bytes]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = Connection(scope, receive, send)
        self.requests.append((scope, await connection.body()))
        await self._act(connection)  # type: ignore[misc]


def test_the_first_event_arrives_before_the_second_is_made() -> None:
    heard_first = threading.Event()
    order: list[str] = []

    async def act(connection: Connection) -> None:
        await connection.head(200, STREAM)
        await connection.piece(b'data: {"n":1}\n\n')
        while not heard_first.is_set():  # the loop goes on; nothing is sent meanwhile
            await connection.stall(0.01)
        order.append("second made")
        await connection.piece(b'data: {"n":2}\n\n', more=False)

    def ask(urls: BaseUrls) -> None:
        with httpx.stream("POST", f"{urls.openai}/chat/completions", json=ASKED, timeout=60) as got:
            pieces = got.iter_raw()
            order.append(next(pieces).decode().strip())
            heard_first.set()
            order.append(b"".join(pieces).decode().strip())

    with app_served(Upstream_(act)) as url:
        (seen,) = recorded(url, ask)
    assert order == ['data: {"n":1}', "second made", 'data: {"n":2}']
    assert seen.answered is not None
    assert seen.answered.chunks == [b'data: {"n":1}\n\n', b'data: {"n":2}\n\n']
    assert len(seen.answered.after_ms) == 2
    assert not seen.answered.broken


def test_requests_arrive_untouched_but_for_compression() -> None:
    async def act(connection: Connection) -> None:
        await connection.whole(200, (*JSON, ("x-one", "1"), ("x-one", "2")), b"{}")

    upstream = Upstream_(act)
    answers: list[httpx.Response] = []

    def ask(urls: BaseUrls) -> None:
        headers = [(b"authorization", b"Bearer real"), (b"x-strange", "ü".encode())]
        url = f"{urls.gemini}/v1beta/models/m%2Fn:go?key=a%20b&alt=sse"
        answers.append(httpx.post(url, content=b"\x00\xff", headers=headers, timeout=60))

    with app_served(upstream) as url:
        recorded(f"{url}/base", ask)
    ((scope, body),) = upstream.requests
    headers = dict(scope["headers"])
    assert scope["raw_path"].partition(b"?")[0] == b"/base/v1beta/models/m%2Fn:go"
    assert scope["query_string"] == b"key=a%20b&alt=sse"
    assert body == b"\x00\xff"
    assert headers[b"authorization"] == b"Bearer real"
    assert headers[b"x-strange"] == "ü".encode()
    assert headers[b"accept-encoding"] == b"identity"
    assert headers[b"host"] == url.removeprefix("http://").encode()
    assert answers[0].headers.get_list("x-one") == ["1", "2"]


def test_whoever_lets_go_ends_the_upstream_as_well() -> None:
    over = threading.Event()

    async def act(connection: Connection) -> None:
        await connection.head(200, STREAM)
        await connection.piece(b": here\n\n")
        await connection.gone.wait()
        over.set()

    def ask(urls: BaseUrls) -> None:
        with httpx.stream("POST", f"{urls.openai}/chat/completions", json=ASKED, timeout=60) as got:
            next(got.iter_raw())
        assert over.wait(60)

    with app_served(Upstream_(act)) as url:
        (seen,) = recorded(url, ask)
    assert seen.answered is not None
    assert seen.answered.broken
    assert seen.answered.let_go


def test_an_upstream_that_went_away_is_told_in_a_sentence() -> None:
    async def act(connection: Connection) -> None:
        await connection.whole(200, JSON, said())

    answers: list[httpx.Response] = []
    with app_served(Upstream_(act)) as url:
        pass  # over before anybody asks

    def ask(urls: BaseUrls) -> None:
        answers.append(httpx.post(f"{urls.openai}/chat/completions", json=ASKED, timeout=60))

    (seen,) = recorded(url, ask)
    assert answers[0].status_code == 502
    message = answers[0].json()["error"]["message"]
    assert message.startswith(f"faultloop record: the upstream {url} was not reached: ")
    assert seen.answered is None


def test_what_comes_compressed_although_nobody_asked_is_kept_as_it_reads() -> None:
    packed = gzip.compress(said("My key is sk-ant-0123456789abcdef."))

    async def act(connection: Connection) -> None:
        await connection.head(200, (*JSON, ("content-encoding", "gzip")))
        for byte in packed:
            await connection.piece(bytes([byte]))
        await connection.end()

    def ask(urls: BaseUrls) -> None:
        answer = httpx.post(f"{urls.openai}/chat/completions", json=ASKED, timeout=60)
        assert "sk-ant-0123456789abcdef" in answer.text

    with app_served(Upstream_(act)) as url:
        seen: list[Exchange] = recorded(url, ask)
    assert sent(seen[0]).body == packed
    text = written(seen)
    assert "say: My key is <redacted:key:1>." in text
    assert "content-encoding" not in text


@pytest.mark.parametrize(
    ("upstream", "path", "goes_to"),
    [
        ("https://api.openai.com/v1", "/v1/chat/completions", "/v1/chat/completions"),
        ("https://api.openai.com/v1/", "/v1/responses", "/v1/responses"),
        ("https://api.openai.com", "/v1/models", "/v1/models"),
        ("https://api.anthropic.com", "/v1/messages", "/v1/messages"),
        ("https://h/api/v1", "/v1/chat/completions", "/api/v1/chat/completions"),
        ("https://h/paas/v4", "/v1/chat/completions", "/paas/v4/chat/completions"),
        (
            "https://g/v1beta",
            "/v1beta/models/m:generateContent",
            "/v1beta/models/m:generateContent",
        ),
        ("https://g", "/v1beta/models/m:generateContent", "/v1beta/models/m:generateContent"),
        ("http://127.0.0.1:9/c/mine/v1", "/v1/messages", "/c/mine/v1/messages"),
        ("http://127.0.0.1:9/c/mine", "/v1/messages", "/c/mine/v1/messages"),
    ],
)
def test_a_base_url_may_end_in_its_version(upstream: str, path: str, goes_to: str) -> None:
    assert Upstream(upstream).at(path, "").raw_path.decode() == goes_to
    assert Upstream(upstream).at(path, "a=%20").raw_path.decode() == f"{goes_to}?a=%20"


@pytest.mark.parametrize("url", ["", "localhost:8000", "ftp://h", "http://", "http://[::", "x"])
def test_what_is_no_url_is_refused_in_a_sentence(url: str) -> None:
    with pytest.raises(BadUpstream, match="--upstream"):
        Upstream(url)


def test_a_password_in_the_url_is_not_told() -> None:
    assert Upstream("https://me:secret@h/v1").url == "https://h/v1"


def test_nothing_of_a_request_is_kept_but_what_a_loop_needs() -> None:
    asked = json.dumps({**ASKED, "metadata": {"mine": "private-thing"}}).encode()
    text = written(
        [
            Exchange(
                method="POST",
                path="/v1/chat/completions",
                query="",
                headers=(),
                body=asked,
                answered=None,
            ),
            _answered(asked),
        ]
    )
    assert "private-thing" not in text
    assert "input: Go." in text


def _answered(body: bytes) -> Exchange:
    from .leaks import exchange

    return exchange(body=body)
