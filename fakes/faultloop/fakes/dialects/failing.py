"""Injected failures in a dialect's own words: what each API says when it fails by itself.

A fault says only what kind of trouble it is (`faults.overloaded` and its like); which status that
is, and what is said, is a row of the dialect's own table. A row is found by the fault's kind, or by
its kind and status where one kind has several. What a scenario words itself is sent as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import NamedTuple

from faultloop.fakes.faults.base import HttpFailure


class Words(NamedTuple):
    """What an API says, with words to be filled in."""

    status: int
    message: str
    """`{model}` as the request names it, `{wait}` how long to wait, `{request}` the request's id
    without a prefix."""
    source: str
    """Where it is from: `owner/repo #number (year)` of who quotes the API, else said in words."""
    code: str | None = None


Failures = Mapping[str, Words]
"""A dialect's rows, by kind of fault (`overloaded`), or by kind and status
(`rejected_request 401`)."""


def worded(
    failure: HttpFailure, kind: str, failures: Failures, *, model: str, request: str
) -> HttpFailure:
    """What is sent for a fault of this kind."""
    if failure.message:
        return failure
    words = failures.get(kind) or failures.get(f"{kind} {failure.status}")
    if words is None:  # nobody was found who quotes the API: what HTTP itself calls it
        return failure._replace(message=HTTPStatus(failure.status).phrase)
    wait = "" if failure.retry_after_s is None else spelt_wait(failure.retry_after_s)
    message = words.message.format(model=model, wait=wait, request=request)
    return failure._replace(status=words.status, code=words.code, message=message, page=None)


def spelt_wait(seconds: float) -> str:
    """A time to wait as OpenAI and Google write it: `20ms`, `1.574s`, `26s`."""
    return f"{seconds * 1000:.0f}ms" if 0 < seconds < 1 else f"{round(seconds, 3):g}s"
