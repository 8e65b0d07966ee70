"""Routing: which dialect a request below a start's URL is for. The table is the dialects' own."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import NamedTuple

from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import Dialect, Route


class NoSuchRoute(Exception):
    """The subject asked for something that is not here. The text says what is."""

    def __init__(self, message: str, *, status: int = 404, dialect: Dialect | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.dialect = dialect
        """Whose client asked, where the request shows it: it is refused in that one's form."""


class Found(NamedTuple):
    """Where a request goes."""

    dialect: Dialect
    route: Route
    words: Mapping[str, str]


def find(method: str, path: str, headers: Container[str]) -> Found:
    """The dialect of a request; `headers` are its headers' lower-case names.

    Raises NoSuchRoute. Among routes of one path, one that wants a header goes first.
    """
    there = [(found, found.route) for found in _at(path)]
    fits = [found for found, route in there if route.method == method and _heard(route, headers)]
    if fits:
        return max(fits, key=lambda found: found.route.header is not None)
    whose = _whose(path, headers)
    if there:
        takes = ", ".join(dict.fromkeys(route.method for _, route in there))
        raise NoSuchRoute(f"{path} takes {takes}, not {method}", status=405, dialect=whose)
    raise NoSuchRoute(
        f"no such path: {path}; below the base URL there are {', '.join(_PATHS)}", dialect=whose
    )


def _heard(route: Route, headers: Container[str]) -> bool:
    return route.header is None or route.header in headers


def _whose(path: str, headers: Container[str]) -> Dialect | None:
    """The dialect that alone has paths which begin like this one, or else such headers."""
    owners = [_OWNERS[start] for start in _beginnings(path) if start in _OWNERS]
    if owners and len(owners[-1]) == 1:
        return owners[-1][0]
    bears = (dialect for dialect, route in _ALL if route.header and route.header in headers)
    return next(bears, None)


def _beginnings(path: str) -> list[str]:
    """`/v1`, `/v1/messages`, ... up to the path itself."""
    words = path.split("/")
    return ["/".join(words[: count + 1]) for count in range(1, len(words))]


def _at(path: str) -> list[Found]:
    """What is at a path, whatever the method and headers."""
    exact = _EXACT.get(path)
    if exact is not None:
        return exact
    return [
        Found(dialect, route, match.groupdict())
        for pattern, dialect, route in _PATTERNS
        if (match := pattern.fullmatch(path))
    ]


def _pattern(path: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", path)
    spelt = (f"(?P<{part}>[^/:]+)" if n % 2 else re.escape(part) for n, part in enumerate(parts))
    return re.compile("".join(spelt))


_ALL = [(dialect, route) for dialect in DIALECTS.values() for route in dialect.routes]

_OWNERS: dict[str, list[Dialect]] = {}
"""Which dialects have paths that begin so."""
for _dialect, _route in _ALL:
    for _start in _beginnings(_route.path):
        if _dialect not in _OWNERS.setdefault(_start, []):
            _OWNERS[_start].append(_dialect)

_PATHS = [
    *dict.fromkeys(route.path.replace("{model}", "MODEL") for _, route in _ALL),
    "/tools",
    "/tools/NAME",
]

_EXACT: dict[str, list[Found]] = {}
for _dialect, _route in _ALL:
    if "{" not in _route.path:
        _EXACT.setdefault(_route.path, []).append(Found(_dialect, _route, {}))

_PATTERNS = [(_pattern(route.path), dialect, route) for dialect, route in _ALL if "{" in route.path]
