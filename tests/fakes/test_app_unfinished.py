"""Requests that never come whole, and requests that come in many pieces."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

import pytest

from faultloop.fakes.app import App
from faultloop.fakes.asgi import WIRE, Message
from faultloop.fakes.history import CallArrived, Requested
from faultloop.fakes.stage import Stage

from .carried import APPEND, NoDeeds, plan

BODY = json.dumps(APPEND).encode()
ASKED = json.dumps({"model": "m", "messages": [{"role": "user", "content": "Go."}]}).encode()
PLACES = [
    ("/tools/append_file", BODY),
    ("/v1/chat/completions", ASKED),
    ("/v1/responses/input_tokens", ASKED),
]


class Wire:
    """The wire of a client that may have let go."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()

    def reset(self) -> None:
        self.gone.set()

    def half_close(self) -> None:
        raise AssertionError


class Piece(bytes):
    """A piece of a body that must not be copied for every piece that follows."""

    def __radd__(self, other: bytes) -> bytes:
        raise AssertionError("the pieces so far were copied")


def sent(path: str, pieces: Iterable[bytes], *, whole: bool) -> tuple[Stage, App, list[Message]]:
    """What a play and its client see of a POST whose body comes in these pieces."""
    answered: list[Message] = []

    async def tell() -> tuple[Stage, App]:
        stage = Stage(plan(), clock=asyncio.get_running_loop().time, deeds=NoDeeds())
        stage.begin(1, 0, resume=False)
        app = App({"p": stage})
        coming: list[dict[str, Any]] = [
            {"type": "http.request", "body": piece, "more_body": True} for piece in pieces
        ]
        last = {"type": "http.request"} if whole else {"type": "http.disconnect"}
        messages = iter((*coming, last))

        async def receive() -> Message:
            return next(messages)

        async def send(message: Message) -> None:
            answered.append(message)

        scope = {
            "type": "http",
            "method": "POST",
            "path": f"/r/p/1{path}",
            "headers": [],
            "extensions": {WIRE: Wire()},
        }
        await app(scope, receive, send)
        await stage.close()
        return stage, app

    return *asyncio.run(tell()), answered


@pytest.mark.parametrize(("path", "body"), PLACES)
@pytest.mark.parametrize("kept", [0, 7, None])
def test_a_request_that_never_came_whole_is_nobodys(
    path: str, body: bytes, kept: int | None
) -> None:
    stage, app, answered = sent(path, [body[:kept]], whole=False)

    assert len(stage.history) == 1  # nothing but the start
    assert stage.ledger.effects == []
    assert (app.failures, answered) == ({}, [])


@pytest.mark.parametrize(
    ("path", "body", "kind"), [(*PLACES[0], CallArrived), (*PLACES[1], Requested)]
)
def test_a_request_in_many_pieces_is_put_together_once(path: str, body: bytes, kind: type) -> None:
    pieces = [Piece(body[at : at + 1]) for at in range(len(body))]
    stage, app, answered = sent(path, pieces, whole=True)

    assert sum(isinstance(entry, kind) for entry in stage.history) == 1
    assert app.failures == {}
    assert answered[0]["status"] < 500
