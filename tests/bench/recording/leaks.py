"""Secrets, the places where one can stand, and whether any of it is left in a file."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any
from urllib.parse import quote

import yaml

from faultloop.bench.recording.seen import Answered, Exchange

SECRETS = {
    "openai key": "sk-proj-9Qw8eR7tY6uI5oP4aS3dF2gH1jK0",
    "anthropic key": "sk-ant-api03-zX9cV8bN7mQ6wE5rT4yU3-AA",
    "google key": "AIzaSyD9f8G7h6J5k4L3m2N1b0V9c8X7z6Q5w4E",
    "github token": "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
    "slack token": "xoxb-1234567890-abcdefGHIJKL",
    "aws key": "AKIAIOSFODNN7EXAMPLE",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4fwpMeJf36P",
    "private key": "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIb0\nq8Kz+/A=\n"
    "-----END EC PRIVATE KEY-----",
    "email": "jane.doe+work@mail.example.org",
    "bearer token": "tok3n.of.the-command/~zz",
    "api key header": "correct horse",
    "query key": "q7w8e9-in-the-url",
    "cookie": "s3ss10n-of-jane",
    "set cookie": "tr4ck1ng-of-jane",
    "environment": 'p"ss wörd\\1',
}

ENVIRONMENT = {"DB_PASSWORD": SECRETS["environment"], "SHORT_TOKEN": "1", "PATH": "/usr/bin"}

REQUEST_HEADERS = (
    ("authorization", f"Bearer {SECRETS['bearer token']}"),
    ("x-api-key", SECRETS["api key header"]),
    ("cookie", f"theme=dark; session={SECRETS['cookie']}"),
    ("content-type", "application/json"),
)
QUERY = f"alt=sse&key={SECRETS['query key']}"
ANSWER_HEADERS = (("set-cookie", f"id={SECRETS['set cookie']}; Path=/"),)


def asked(text: str = "Go.", result: str = "done", about: str = "Reads.") -> bytes:
    """A request of Chat Completions in the middle of its work."""
    call = {"name": "read_file", "arguments": json.dumps({"path": "a.txt"})}
    body = {
        "model": "m",
        "messages": [
            {"role": "user", "content": text},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "call_1", "type": "function", "function": call}],
            },
            {"role": "tool", "tool_call_id": "call_1", "content": result},
        ],
        "tools": [{"type": "function", "function": {"name": "read_file", "description": about}}],
    }
    return json.dumps(body).encode()


def said(text: str = "Done.", arguments: str | None = None) -> bytes:
    """A whole reply of Chat Completions."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if arguments is not None:
        function = {"name": "read_file", "arguments": arguments}
        message["tool_calls"] = [{"id": "call_2", "type": "function", "function": function}]
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return json.dumps({"id": "chatcmpl-1", "choices": [choice]}).encode()


def exchange(
    *chunks: bytes,
    body: bytes = b"",
    status: int = 200,
    kind: str = "application/json",
    headers: tuple[tuple[str, str], ...] = (),
    path: str = "/v1/chat/completions",
    method: str = "POST",
) -> Exchange:
    """One exchange of somebody who uses all of the secrets."""
    return Exchange(
        method=method,
        path=path,
        query=QUERY,
        headers=REQUEST_HEADERS,
        body=body or asked(),
        answered=Answered(
            status=status,
            headers=(("content-type", kind), *ANSWER_HEADERS, *headers),
            chunks=list(chunks or (said(),)),
            after_ms=[1] * max(len(chunks), 1),
            broken=False,
        ),
    )


def event(value: object) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


Delta = Callable[[str], object]

DELTAS: dict[str, Delta] = {
    "openai_chat text": lambda piece: {"choices": [{"index": 0, "delta": {"content": piece}}]},
    "openai_chat arguments": lambda piece: {
        "choices": [
            {"index": 0, "delta": {"tool_calls": [{"index": 1, "function": {"arguments": piece}}]}}
        ]
    },
    "openai_responses text": lambda piece: {
        "type": "response.output_text.delta",
        "item_id": "msg_1",
        "output_index": 0,
        "content_index": 0,
        "delta": piece,
    },
    "openai_responses arguments": lambda piece: {
        "type": "response.function_call_arguments.delta",
        "item_id": "fc_1",
        "output_index": 1,
        "delta": piece,
    },
    "anthropic_messages text": lambda piece: {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": piece},
    },
    "anthropic_messages arguments": lambda piece: {
        "type": "content_block_delta",
        "index": 1,
        "delta": {"type": "input_json_delta", "partial_json": piece},
    },
    "gemini text": lambda piece: {
        "candidates": [{"content": {"role": "model", "parts": [{"text": piece}]}, "index": 0}]
    },
}


# --- what is left ---------------------------------------------------------------------------


def spellings(secret: str) -> Iterator[str]:
    """The secret as it could stand in a file."""
    yield secret
    for text in (secret, secret.replace("@", "\\u0040")):
        for ascii_only in (True, False):
            once = json.dumps(text, ensure_ascii=ascii_only)[1:-1]
            yield once
            yield json.dumps(once, ensure_ascii=ascii_only)[1:-1]
    yield "".join(f"\\u{ord(char):04x}" for char in secret)
    yield quote(secret, safe="")
    yield quote(secret)
    yield "".join(f"%{byte:02X}" for byte in secret.encode())
    for shift in range(3):
        packed = base64.b64encode(b"x" * shift + secret.encode()).decode()
        core = packed[4 if shift else 0 : len(packed) - 4]
        yield core
        yield core.replace("+", "-").replace("/", "_")


def texts(value: object) -> Iterator[str]:
    """All texts in a document, and what its base64 stands for."""
    match value:
        case str():
            yield value
        case dict():
            for key, one in value.items():
                yield str(key)
                yield from texts(one)
            if isinstance(value.get("base64"), str):
                yield base64.b64decode(value["base64"]).decode(errors="replace")
            if isinstance(value.get("body"), list):
                yield from ("".join(bodies(value["body"])),)
        case list():
            for one in value:
                yield from texts(one)


def bodies(chunks: list[dict[str, str]]) -> Iterator[str]:
    """A recorded body put together again."""
    for chunk in chunks:
        yield chunk.get("text") or base64.b64decode(chunk.get("base64", "")).decode(
            errors="replace"
        )


def left(secret: str, file: str) -> list[str]:
    """The spellings of a secret that can be found in a file."""
    return [one for one in spellings(secret) if any(one in place for place in places(file))]


@lru_cache(maxsize=2)
def places(file: str) -> tuple[str, ...]:
    """A file as it lies on the disk, without the line ends that YAML puts into long texts, and as
    it reads."""
    unfolded = re.sub(r"\\?\n\s*\\?", "", file)
    return (file, unfolded, *texts(yaml.safe_load(file)))
