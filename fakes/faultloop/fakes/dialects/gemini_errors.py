"""Gemini's failures: `google.rpc.Status` as JSON.

There is no Retry-After: when to come again is told in the body (`RetryInfo`), as the recorded
answers of the API show. A body that is not of the API's fields is answered with one violation for
each line of the message.
"""

from __future__ import annotations

import re
from typing import Any

Object = dict[str, Any]

STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    408: "DEADLINE_EXCEEDED",
    409: "ABORTED",
    412: "FAILED_PRECONDITION",
    429: "RESOURCE_EXHAUSTED",
    499: "CANCELLED",
    500: "INTERNAL",
    501: "UNIMPLEMENTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
"""Canonical codes by HTTP status (google/rpc/code.proto)."""

_OTHERS = frozenset({"FAILED_PRECONDITION", "OUT_OF_RANGE", "ALREADY_EXISTS", "DATA_LOSS"})
"""Canonical codes that share an HTTP status with another."""

_RPC = "type.googleapis.com/google.rpc."
_LINES = re.compile(r"\n(?=Invalid (?:JSON payload received\. |value at '))")
_FIELD = re.compile(r"Invalid (?:JSON payload .*?\" at|value at) '(?P<field>[^']*)'")

QUOTA = {
    "quotaMetric": "generativelanguage.googleapis.com/generate_content_free_tier_requests",
    "quotaId": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier",
    "quotaDimensions": {"location": "global"},
    "quotaValue": "10",
}
"""The quota that an injected 429 says to be used up; the API tells the model as well, among the
dimensions (RooCodeInc/Roo-Code #3883)."""

_HELP = {
    "@type": f"{_RPC}Help",
    "links": [
        {
            "description": "Learn more about Gemini API quotas",
            "url": "https://ai.google.dev/gemini-api/docs/rate-limits",
        }
    ],
}


def failure(*, status: int, code: str | None, message: str, retry_after_s: float | None) -> Object:
    """A failure's body as a value; `code` counts where it is a canonical one."""
    usual = STATUSES.get(status, "INTERNAL" if status >= 500 else "FAILED_PRECONDITION")
    error: Object = {
        "code": status,
        "message": message,
        "status": code if code in _OTHERS else usual,
    }
    details = _details(status, message, retry_after_s)
    if details:
        error["details"] = details
    return {"error": error}


def _details(status: int, message: str, retry_after_s: float | None) -> list[Object]:
    details: list[Object] = []
    if status == 400 and message.startswith("Invalid "):
        violations = [_violation(line) for line in _LINES.split(message)]
        details.append({"@type": f"{_RPC}BadRequest", "fieldViolations": violations})
    if status == 429:
        details += [{"@type": f"{_RPC}QuotaFailure", "violations": [QUOTA]}, _HELP]
    if retry_after_s is not None:
        details.append({"@type": f"{_RPC}RetryInfo", "retryDelay": _duration(retry_after_s)})
    return details


def _violation(line: str) -> Object:
    place = _FIELD.match(line)
    return {**({"field": place["field"]} if place else {}), "description": line}


def _duration(seconds: float) -> str:
    """A protobuf Duration: `26s`, `0.500s`, with no, three or six digits after the point."""
    for digits in (0, 3, 6):
        spelt = f"{seconds:.{digits}f}"
        if float(spelt) == seconds:
            break
    return f"{spelt}s"
