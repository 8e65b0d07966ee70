"""The meaning of a reply, and how odd JSON is read: what is not there is None, whatever it is."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from faultloop.fakes.script import Finish

Json = Any  # the wire of strangers


@dataclass(slots=True, kw_only=True)
class MeantCall:
    """A call of a tool."""

    id: str | None = None
    tool: str = ""
    arguments: str = ""
    """As the model wrote them, where the dialect shows it."""


@dataclass(slots=True, kw_only=True)
class Meaning:
    """A reply, as far as it came."""

    id: str = ""
    """With the dialect's prefix."""
    text: str = ""
    calls: list[MeantCall] = field(default_factory=list)
    finish: Finish | None = None
    """None: none was said."""
    prompt_tokens: int = 0
    completion_tokens: int = 0


def decoded(text: str) -> Json:
    """A JSON text as a value; None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def at(value: Json, *path: str | int) -> Json:
    """What is at a place in a value; None where there is no such place."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def text_at(value: Json, *path: str | int) -> str:
    """The text at a place; empty where there is none."""
    found = at(value, *path)
    return found if isinstance(found, str) else ""


def number_at(value: Json, *path: str | int) -> int:
    """The whole number at a place; 0 where there is none."""
    found = at(value, *path)
    return found if isinstance(found, int) and not isinstance(found, bool) else 0


def list_at(value: Json, *path: str | int) -> list[Json]:
    """The list at a place; empty where there is none."""
    found = at(value, *path)
    return found if isinstance(found, list) else []


def compact(value: Json) -> str:
    """A value as models write it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
