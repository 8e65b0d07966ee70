"""An event stream as an SDK's HTTP client gets it: events, comments, data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from faultloop.bench.sdks.heard import Json


class Line(NamedTuple):
    """One event that has data."""

    name: str
    """As its `event:` line says; empty without one."""
    data: Json


class Lines(NamedTuple):
    """A whole stream."""

    events: tuple[Line, ...]
    comments: int
    ends: bool
    """The last thing was `[DONE]`."""


def read(chunks: Iterable[bytes]) -> Lines:
    """Read a stream to its end. Raises ValueError for data that is no JSON.

    Only what the standard calls an end of line is one: `str.splitlines` and the SDKs' own
    `iter_lines` tear lines apart at characters within a text.
    """
    found: list[Line] = []
    name, comments, ends = "", 0, False
    for line in re.split("\r\n|\n|\r", b"".join(chunks).decode()):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            name = ""
        elif not field:
            comments += 1
        elif field == "event":
            name = value
        elif field == "data":
            ends = value == "[DONE]"
            if not ends:
                found.append(Line(name, json.loads(value)))
    return Lines(tuple(found), comments, ends)


def untyped(headers: Mapping[str, str]) -> list[str]:
    """A sentence where a stream does not say that it is one: this SDK does not look."""
    told = headers.get("content-type", "")
    return [] if told.startswith("text/event-stream") else [f"its content type is {told!r}"]
