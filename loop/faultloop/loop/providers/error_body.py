"""What an error says about itself, in any of the shapes that providers and gateways use.

OpenAI     {"error": {"message", "type", "code"}}
Anthropic  {"type": "error", "error": {"type", "message"}}
Google     {"error": {"code": 429, "message", "status", "details": [{"retryDelay"}]}}, also as
           the only element of a list
"""

from __future__ import annotations

from typing import Any

import msgspec

from faultloop.loop.providers.lenient import mappings, seconds, word


class ErrorBody(msgspec.Struct, frozen=True):
    """What an error says about itself."""

    message: str = ""
    code: str | None = None
    retry_after_s: float | None = None
    """The wait that the provider asks for, where it says so in the body."""


def error_of(raw: bytes) -> ErrorBody:
    """The error in a body; its text where it has none."""
    try:
        found = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ErrorBody(message=raw.decode("utf-8", "replace").strip())
    if isinstance(found, list) and len(found) == 1 and isinstance(found[0], dict):
        found = found[0]
    return error_in(found.get("error", found) if isinstance(found, dict) else found)


def error_in(found: object) -> ErrorBody:
    """The error that an object is."""
    if not isinstance(found, dict):
        return ErrorBody(message=str(found))
    code = found.get("code") or found.get("type")
    if isinstance(found.get("status"), str):  # Google's code is the HTTP status over again
        code = found["status"]
    return ErrorBody(
        message=str(found.get("message") or found),
        code=str(code) if code is not None else None,
        retry_after_s=_delay_s(found.get("details")),
    )


def _delay_s(details: Any) -> float | None:
    """Google's RetryInfo: a duration such as `26s` or `0.500s`."""
    waits = (seconds(word(one.get("retryDelay")).removesuffix("s")) for one in mappings(details))
    return next((wait for wait in waits if wait is not None), None)
