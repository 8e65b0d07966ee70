"""Replies and requests that the tests of Gemini use."""

from __future__ import annotations

import json
from typing import Any

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import Dialect, Frame, HttpRequest
from faultloop.fakes.reply import Reply, ReplyCall, pieces

GEMINI = DIALECTS["gemini"]
FRAME = Frame(created_s=1_767_225_600, model="fake-model")
CALLS = (
    ReplyCall(id="call_1", tool="read_file", arguments='{"path":"a.txt"}'),
    ReplyCall(id="call_2", tool="list_files", arguments="{}"),
)
REPLY = Reply(
    id="abc",
    turn=0,
    step=1,
    text="I look.",
    calls=CALLS,
    finish="tool_calls",
    prompt_tokens=12,
    completion_tokens=7,
)
TALK = Reply(id="abc", turn=0, step=1, text="Grüß dich, <du>.", calls=(), finish="stop")

MODEL = "/v1beta/models/{model}"
GENERATE = f"{MODEL}:generateContent"
STREAM = f"{MODEL}:streamGenerateContent"
COUNT = f"{MODEL}:countTokens"
KEY = {"x-goog-api-key": "none"}


def talk(text: str = "Go.", role: str = "user") -> dict[str, Any]:
    return {"role": role, "parts": [{"text": text}]}


def asked(*contents: object, **more: object) -> bytes:
    return json.dumps({"contents": contents, **more}).encode()


def request(
    body: bytes = b"",
    path: str = GENERATE,
    *,
    headers: dict[str, str] = KEY,
    query: dict[str, str] | None = None,
) -> HttpRequest:
    route = next(route for route in GEMINI.routes if route.path == path)
    url = path.replace("{model}", "fake-model")
    words = {"model": "fake-model"} if url != path else {}
    return HttpRequest(route, url, query or {}, headers, body, words)


def read(*contents: object, **more: object) -> Conversation:
    return GEMINI.parse(request(asked(*contents, **more)))


def call(name: str = "read_file", *, id_: str | None = "call_1", **args: object) -> dict:
    made = {"name": name, "args": args}
    return {"functionCall": made if id_ is None else {**made, "id": id_}}


def result(name: str = "read_file", *, id_: str | None = "call_1", **response: object) -> dict:
    made = {"name": name, "response": response}
    return {"functionResponse": made if id_ is None else {**made, "id": id_}}


def asks(*calls: object) -> dict:
    return {"role": "model", "parts": calls}


def answers(*results: object) -> dict:
    return {"role": "user", "parts": results}


def declared(*names: str, **more: object) -> list:
    return [{"functionDeclarations": [{"name": name, **more} for name in names]}]


def array() -> Dialect:
    """The dialect that answers a stream which did not ask for events."""
    variant = request(path=STREAM).route.variant
    assert variant is not None
    return variant(request(path=STREAM))


def streamed(reply: Reply, dialect: Dialect = GEMINI) -> bytes:
    spelling = dialect.stream(reply, FRAME)
    return b"".join(spelling.event(delta) for delta in pieces(reply))


def events(body: bytes) -> list[dict[str, Any]]:
    """The responses in a stream of events."""
    text = body.decode()
    assert not text or text.endswith("\r\n\r\n")
    return [json.loads(event.removeprefix("data: ")) for event in text.split("\r\n\r\n")[:-1]]


def assembled(responses: list[dict[str, Any]]) -> dict[str, Any]:
    """What a client makes of the responses of one stream: text, calls, how it ended."""
    parts = [
        part
        for response in responses
        for candidate in response.get("candidates", ())
        for part in candidate.get("content", {}).get("parts", ())
    ]
    last = responses[-1]["candidates"][0]
    return {
        "text": "".join(part.get("text", "") for part in parts),
        "calls": [part for part in parts if "functionCall" in part],
        "finish": last.get("finishReason"),
        "message": last.get("finishMessage"),
        "ratings": last.get("safetyRatings"),
        "usage": responses[-1]["usageMetadata"],
    }
