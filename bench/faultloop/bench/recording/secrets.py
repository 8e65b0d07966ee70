"""Secrets: what they look like, and which ones a command was seen to use.

A pattern's last group that took part is the secret; without groups all of the match is. Known
secrets are exact texts: values of the environment, of headers, of cookies and of queries. What is
short or a plain word is none, else half of every reply would be replaced.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote

from faultloop.fakes.hosting.base_urls import KEY

CHARS_MIN = 6
"""Shorter values are no secrets that could be told from words."""

_NO_SECRETS = frozenset({KEY, "Bearer", "bearer", "true", "false", "disabled", "enabled"})

_NAMED = (
    r"(?:x-)?api[_-]?key|access[_-]?token|refresh[_-]?token|id[_-]?token|auth[_-]?token|"
    r"client[_-]?secret|password|passwd|secret|authorization|(?:set-)?cookie|x-goog-api-key"
)

PATTERNS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "private-key": re.compile(
            r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----"
            r"(?:[\w+/=\s:,.-]*?-----END [A-Z0-9 ]*PRIVATE KEY-----|[A-Za-z0-9+/=\s]*)",
            re.ASCII,
        ),
        "jwt": re.compile(r"eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]{5,}", re.ASCII),
        "key": re.compile(
            r"(?<![A-Za-z0-9])(?:sk-[\w-]{16,}|AIza[\w-]{20,}|gh[a-z]_[A-Za-z0-9]{16,}"
            r"|github_pat_\w{20,}|xox[a-z]-[\w-]{8,}|xapp-[\w-]{8,}|glpat-[\w-]{16,}"
            r"|(?:AKIA|ASIA)[A-Z0-9]{16})",
            re.ASCII,
        ),
        "token": re.compile(r"(?i:\bbearer)[\s:=]+((?=[\w.~+/=-]*\d|\S{24})[\w.~+/=-]{8,})"),
        "header": re.compile(
            r"(?i:\b(?:proxy-)?authorization|\b(?:set-)?cookie|\bx-api-key|\bx-goog-api-key)"
            r"[ \t]*[:=][ \t]*([^\s\"'\\<>][^\r\n\"'\\<>]{5,})"
        ),
        "query": re.compile(
            r"[?&](?:key|sig|signature|code|token|(?i:" + _NAMED + r"))=([^&\s\"'\\<>#]{4,})"
        ),
        "field": re.compile(
            r"[\"'](?i:" + _NAMED + r")[\"']\s*:\s*[\"']((?!<redacted:)[^\"'\\\r\n]{6,})[\"']"
        ),
        "email": re.compile(r"[\w.%+-]{0,63}[\w%+]@[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{2,}"),
    }
)
"""By the word that stands in the placeholder; where two find the same, the earlier names it."""

NEEDED: Mapping[str, str] = MappingProxyType(
    {"email": "@", "jwt": "eyJ", "private-key": "-----BEGIN ", "field": ":", "query": "="}
)
"""What a text must hold for a pattern to be worth a search."""

SECRET_VARIABLE = re.compile(r"(?:^|_)(?:\w*KEY|\w*TOKEN|\w*SECRET|\w*PASSWORD)$", re.IGNORECASE)
_SECRET_HEADER = re.compile(
    r"auth(?!ority)|token(?!s)|secret|cookie|api-?key|password|credential|signature", re.IGNORECASE
)
_SECRET_QUERY = re.compile(r"key|token|secret|sig|code|password|auth", re.IGNORECASE)


class Known(NamedTuple):
    """A text that is a secret, and what kind of one."""

    kind: str
    text: str


def of_environment(environment: Mapping[str, str]) -> Iterator[Known]:
    """Values of variables whose names say so."""
    for name, value in environment.items():
        if SECRET_VARIABLE.search(name):
            yield from _known("variable", value.strip())


def of_headers(headers: Iterable[tuple[str, str]]) -> Iterator[Known]:
    """Values of headers that prove who somebody is, with what they are made of."""
    for name, value in headers:
        if not _SECRET_HEADER.search(name):
            continue
        yield from _known("header", value)
        if "cookie" in name.lower():
            for pair in value.split(";"):
                yield from _known("cookie", pair.partition("=")[2].strip())
            continue
        scheme, _, credential = value.partition(" ")
        yield from _known("header", credential.strip())
        if scheme.lower() == "basic":
            _, _, password = _unpacked(credential).partition(":")
            yield from _known("header", password)


def of_query(query: str) -> Iterator[Known]:
    """Values of a query whose names say so."""
    for name, value in parse_qsl(query):
        if _SECRET_QUERY.search(name):
            yield from _known("query", value)


def _known(kind: str, value: str) -> Iterator[Known]:
    for text in dict.fromkeys((value, unquote(value))):
        if (
            len(text) >= CHARS_MIN
            and text not in _NO_SECRETS
            and text.removeprefix("Bearer ") != KEY
        ):
            yield Known(kind, text)


def _unpacked(credential: str) -> str:
    try:
        return base64.b64decode(credential + "==").decode(errors="replace")
    except binascii.Error:
        return ""


def of_cookies(headers: Iterable[tuple[str, str]]) -> Iterator[Known]:
    """Values of cookies that an answer sets."""
    for name, value in headers:
        if name == "set-cookie":
            yield from _known("cookie", value.partition(";")[0].partition("=")[2].strip())
