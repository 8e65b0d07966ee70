"""What a failed request means, whatever the dialect: one table of statuses, one of exceptions.

The clients raise `ProviderFailure`; its kind is decided here, from the status and the provider's
machine code, never from the wording of a message. But for one thing: Anthropic and Google have no
code for a context that is too long, and say it only in words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

import httpx

from faultloop.loop.output import head
from faultloop.loop.providers.error_body import ErrorBody
from faultloop.loop.providers.lenient import seconds
from faultloop.loop.providers.port import FailureKind, ProviderFailure

MESSAGE_BYTES = 500
"""How much of a provider's own words is kept."""

BY_CODE: dict[str, FailureKind] = {
    "context_length_exceeded": "overflow",
    "insufficient_quota": "rejected",  # comes as a 429, but waiting does not fill the account
    "rate_limit_exceeded": "rate_limited",
    "request_too_large": "overflow",
    "server_error": "unavailable",
}
"""The provider's machine code, where it says more than the status."""

BY_CODE_ALONE: dict[str, FailureKind] = {
    # OpenAI
    "invalid_prompt": "rejected",
    "invalid_request_error": "rejected",
    # Anthropic
    "authentication_error": "rejected",
    "billing_error": "rejected",
    "not_found_error": "rejected",
    "permission_error": "rejected",
    "rate_limit_error": "rate_limited",
    "timeout_error": "timeout",
    # Google
    "DEADLINE_EXCEEDED": "timeout",
    "FAILED_PRECONDITION": "rejected",
    "INVALID_ARGUMENT": "rejected",
    "NOT_FOUND": "rejected",
    "PERMISSION_DENIED": "rejected",
    "RESOURCE_EXHAUSTED": "rate_limited",
    "UNAUTHENTICATED": "rejected",
}
"""Codes that follow from the status, for where there is none: in the middle of a stream. Any other
is `unavailable`."""

TOO_LONG = re.compile(
    "prompt is too long|exceed context limit|exceeds the maximum number of tokens allowed"
)
"""What Anthropic and Google say of a context that is too long (anthropics/claude-code #12186,
continuedev/continue #6080, google-gemini/gemini-cli #4231)."""

BY_STATUS: dict[int, FailureKind] = {
    408: "timeout",
    409: "unavailable",  # a lock that another request holds
    425: "unavailable",
    429: "rate_limited",
}
"""Any other status from 500 on is `unavailable`, any other below is `rejected`."""

BY_EXCEPTION: dict[type[Exception], FailureKind] = {
    httpx.TimeoutException: "timeout",
    httpx.ConnectError: "unavailable",
    httpx.NetworkError: "broken",
    httpx.RemoteProtocolError: "broken",
    httpx.DecodingError: "broken",
    httpx.HTTPError: "rejected",
    httpx.InvalidURL: "rejected",
}
"""The first that fits, from the particular to the general; any other is `broken`."""


def from_status(
    status: int, said: ErrorBody, headers: Mapping[str, str], *, now_s: float
) -> ProviderFailure:
    """The failure that an HTTP status, and what its body says, stand for."""
    otherwise: FailureKind = "unavailable" if status >= 500 else "rejected"
    kind = BY_CODE.get(said.code or "") or BY_STATUS.get(status, otherwise)
    wait_s = retry_after_s(headers, now_s=now_s)
    return ProviderFailure(
        _or_overflow(kind, said),
        f"the provider answered {status}{_named(said)}: {head(said.message, MESSAGE_BYTES)}",
        status=status,
        retry_after_s=said.retry_after_s if wait_s is None else wait_s,
    )


def from_body(said: ErrorBody) -> ProviderFailure:
    """The failure that an error object without a status stands for, as in a stream."""
    code = said.code or ""
    kind = BY_CODE.get(code) or BY_CODE_ALONE.get(code, "unavailable")
    return ProviderFailure(
        _or_overflow(kind, said),
        f"the provider broke off with an error{_named(said)}: {head(said.message, MESSAGE_BYTES)}",
        retry_after_s=said.retry_after_s,
    )


def from_exception(error: Exception, what: str) -> ProviderFailure:
    """The failure that an exception of httpx stands for; `what` was being done, in words."""
    reason = str(error) or type(error).__name__
    if isinstance(error, httpx.DecodingError):  # zlib speaks of its own error numbers
        reason = "the answer is not compressed as it says"
    return ProviderFailure(_kind_of(error), f"{what} failed: {head(reason, MESSAGE_BYTES)}")


def retry_after_s(headers: Mapping[str, str], *, now_s: float) -> float | None:
    """The wait that the provider asks for, from seconds or an HTTP date; None if it asks none.

    `now_s`: seconds since the epoch, for dates only.
    """
    milliseconds = seconds(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "").strip()
    wait_s = seconds(value)
    if wait_s is not None or not value:
        return wait_s
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    if date.tzinfo is None:  # RFC 9110: an HTTP date is in GMT, also when it says -0000
        date = date.replace(tzinfo=UTC)
    return max(0.0, date.timestamp() - now_s)


def _kind_of(error: Exception) -> FailureKind:
    for exception, kind in BY_EXCEPTION.items():
        if isinstance(error, exception):
            return kind
    return "broken"


def _named(said: ErrorBody) -> str:
    return f" ({said.code})" if said.code else ""


def _or_overflow(kind: FailureKind, said: ErrorBody) -> FailureKind:
    return "overflow" if kind == "rejected" and TOO_LONG.search(said.message) else kind
