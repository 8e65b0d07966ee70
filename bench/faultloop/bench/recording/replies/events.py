"""The events of a recorded stream: server-sent events, or a JSON array that grew (Gemini's)."""

from __future__ import annotations

import json
import re

from faultloop.bench.recording.replies.meaning import Json, decoded

_EVENT_END = re.compile(r"\r\n\r\n|\n\n|\r\r")
_LINE_END = re.compile(r"\r\n|\n|\r")


def events(text: str) -> list[Json]:
    """The data of all events that are whole and JSON, in their order."""
    if text.lstrip().startswith("["):
        return _elements(text.lstrip())
    found: list[Json] = []
    for event in _EVENT_END.split(text):
        lines = [line for line in _LINE_END.split(event) if line.startswith("data:")]
        value = decoded("\n".join(line.removeprefix("data:").removeprefix(" ") for line in lines))
        if value is not None:
            found.append(value)
    return found


def _elements(text: str) -> list[Json]:
    """The elements of an array that may have broken off."""
    reader = json.JSONDecoder()
    found: list[Json] = []
    position = 1
    while True:
        start = re.compile(r"[\s,]*").match(text, position)
        assert start is not None
        try:
            value, position = reader.raw_decode(text, start.end())
        except (ValueError, RecursionError):
            return found
        found.append(value)
