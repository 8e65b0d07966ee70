"""No secret reaches the file, wherever it stood, however it was spelt and wherever it was cut."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from urllib.parse import quote

import pytest
import yaml

from faultloop.bench.recording.command import redactor_for
from faultloop.bench.recording.redaction import Redactor
from faultloop.bench.recording.seen import Exchange

from .leaks import (
    DELTAS,
    ENVIRONMENT,
    SECRETS,
    asked,
    event,
    exchange,
    left,
    said,
    spellings,
)
from .studio import written

every_secret = pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)


def packed(secret: str) -> str:
    return base64.b64encode(f"user:{secret}".encode()).decode()


PLACES: dict[str, Callable[[str], Exchange]] = {
    "nowhere but where it is used": lambda secret: exchange(),
    "the user's words": lambda secret: exchange(body=asked(text=f"It is {secret} now.")),
    "a tool's result": lambda secret: exchange(body=asked(result=f"x={secret};")),
    "a tool's result that is JSON": lambda secret: exchange(
        body=asked(result=json.dumps({"found": f"x={secret};"}))
    ),
    "a tool's description": lambda secret: exchange(body=asked(about=f"Uses {secret} .")),
    "the reply's text": lambda secret: exchange(said(f"It is {secret} now.")),
    "a line of its own": lambda secret: exchange(said(f"It is\n{secret}\nnow.")),
    "a call's arguments": lambda secret: exchange(said(arguments=json.dumps({"to": secret}))),
    "JSON in a call's arguments": lambda secret: exchange(
        said(arguments=json.dumps({"body": json.dumps({"to": secret})}))
    ),
    "arguments that are no JSON": lambda secret: exchange(said(arguments=f"{{'to': '{secret}'")),
    "a URL": lambda secret: exchange(said(f"http://h/?q={quote(secret, safe='')}&x=1")),
    "base64": lambda secret: exchange(said(f"curl -u {packed(secret)} http://h/")),
    "an error": lambda secret: exchange(said(f"bad: {secret}"), status=401),
    "an error that is a page": lambda secret: exchange(
        f"<p>{secret}</p>".encode(), status=502, kind="text/html"
    ),
    "a header of the answer": lambda secret: exchange(
        headers=(("x-request-id", quote(secret)), ("x-other", quote(secret)))
    ),
    "a comment of a stream": lambda secret: exchange(
        f": {quote(secret)}\n\n".encode(), event(json.loads(said())), kind="text/event-stream"
    ),
    "two pieces of the body": lambda secret: exchange(
        *(bytes([byte]) for byte in said(f"It is {secret} now."))
    ),
    "another request's answer": lambda secret: exchange(
        json.dumps({"who": secret}).encode(), path="/v1/models", method="GET"
    ),
    "another request's path": lambda secret: exchange(path=f"/v1/keys/{secret}", method="GET"),
}


@every_secret
@pytest.mark.parametrize("place", PLACES)
def test_a_secret_is_left_nowhere(place: str, secret: str) -> None:
    seen = [exchange(), PLACES[place](secret)]
    file = written(seen, env=ENVIRONMENT)
    found = {name: where for name, one in SECRETS.items() if (where := left(one, file))}
    assert not found
    yaml.safe_load(file)


@every_secret
def test_the_search_sees_what_is_not_replaced(secret: str) -> None:
    for place in ("the reply's text", "a call's arguments", "base64", "a tool's result"):
        assert left(secret, written([PLACES[place](secret)], redact=False)), place


@pytest.fixture(scope="module")
def redactor() -> Redactor:
    return redactor_for([exchange()], ENVIRONMENT)


@every_secret
@pytest.mark.parametrize("delta", DELTAS)
def test_a_secret_is_left_in_no_deltas_wherever_it_is_cut(
    delta: str, secret: str, redactor: Redactor
) -> None:
    spell = DELTAS[delta]
    text = json.dumps({"to": f"<{secret}>"}) if delta.endswith("arguments") else f"It <{secret}>!"
    for cut in range(1, len(text)):
        pieces = [text[:cut], text[cut : cut + 3], text[cut + 3 :]]
        chunks = redactor.chunks([event(spell(piece)) for piece in pieces])
        values = [json.loads(chunk.removeprefix(b"data: ")) for chunk in chunks]
        whole = "".join(_longest(value) for value in values)
        assert secret not in b"".join(chunks).decode()
        for spelling in spellings(secret):
            assert spelling not in whole, cut
        assert "redacted:" in whole
        assert whole[:2] == text[:2], "what is no secret stays"
        assert whole[-2:] == text[-2:]


def _longest(value: object) -> str:
    """The text of a delta."""
    match value:
        case {"delta": str(text)} | {"content": str(text)} | {"arguments": str(text)}:
            return text
        case {"text": str(text)} | {"partial_json": str(text)}:
            return text
        case dict():
            return "".join(_longest(one) for one in value.values())
        case list():
            return "".join(_longest(one) for one in value)
        case _:
            return ""


@every_secret
def test_two_calls_that_come_interleaved_hide_nothing(secret: str, redactor: Redactor) -> None:
    def piece(index: int, text: str) -> object:
        call = {"index": index, "function": {"arguments": text}}
        return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}

    text = json.dumps({"to": secret})
    halves = text[: len(text) // 2], text[len(text) // 2 :]
    other = ('{"path":', '"a.txt"}')
    chunks = [event(piece(at, (halves, other)[at][half])) for half in (0, 1) for at in (0, 1)]
    redacted = redactor.chunks(chunks)
    said_ = [_longest(json.loads(chunk.removeprefix(b"data: "))) for chunk in redacted]
    assert secret not in said_[0] + said_[2]
    assert json.loads(said_[0] + said_[2])["to"].startswith("<redacted:")
    assert said_[1] + said_[3] == "".join(other)


@every_secret
def test_an_array_that_grows_hides_nothing(secret: str, redactor: Redactor) -> None:
    half = len(secret) // 2
    pieces = [DELTAS["gemini text"](one) for one in (secret[:half], secret[half:])]
    body = json.dumps(pieces).encode()
    (redacted,) = redactor.chunks([body])
    assert _longest(json.loads(redacted)).startswith("<redacted:")
    assert secret[half:] not in _longest(json.loads(redacted))
