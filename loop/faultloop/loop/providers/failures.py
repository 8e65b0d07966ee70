"""What a failed request means, whatever the dialect: one table of statuses, one of exceptions.

The clients raise `ProviderFailure`; its kind is decided here, from the status and the provider's
machine code, never from the wording of a message.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

import httpx

from faultloop.loop.output import head
from faultloop.loop.providers.port import FailureKind, ProviderFailure

MESSAGE_BYTES = 500
"""How much of a provider's own words is kept."""

BY_CODE: dict[str, FailureKind] = {
    "context_length_exceeded": "overflow",
    "insufficient_quota": "rejected",  # comes as a 429, but waiting does not fill the account
    "rate_limit_exceeded": "rate_limited",
    "server_error": "unavailable",
}
"""The provider's machine code, where it says more than the status."""

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
    status: int, code: str | None, message: str, headers: Mapping[str, str], *, now_s: float
) -> ProviderFailure:
    """The failure that an HTTP status, and the code in its body, stand for."""
    otherwise: FailureKind = "unavailable" if status >= 500 else "rejected"
    kind = BY_CODE.get(code or "") or BY_STATUS.get(status, otherwise)
    named = f" ({code})" if code else ""
    return ProviderFailure(
        kind,
        f"the provider answered {status}{named}: {head(message, MESSAGE_BYTES)}",
        status=status,
        retry_after_s=retry_after_s(headers, now_s=now_s),
    )


def from_code(code: str | None, message: str) -> ProviderFailure:
    """The failure that an error object in the middle of a stream stands for."""
    named = f" ({code})" if code else ""
    said = f"the provider broke off with an error{named}: {head(message, MESSAGE_BYTES)}"
    return ProviderFailure(BY_CODE.get(code or "", "unavailable"), said)


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
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "").strip()
    seconds = _number(value)
    if seconds is not None or not value:
        return seconds
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


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return max(0.0, number) if math.isfinite(number) else None
