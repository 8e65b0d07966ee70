"""Fields of a Messages API request: each is of its type, or the API complains of it by its path.

The rules of pydantic, as the API has them: what is missing, what is null, what is of another type.
Nothing here knows what a field means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from faultloop.fakes.dialects.anthropic_messages_complaints import bad, listed

Object = dict[str, Any]

_ID = re.compile(r"[a-zA-Z0-9_-]+")


def joined(path: str, name: str) -> str:
    """The path of a field in what is at `path`."""
    return f"{path}.{name}" if path else name


def an_object(value: object, path: str) -> Object:
    """The object at `path`."""
    if not isinstance(value, dict):
        raise bad("object", path)
    return value


def text(holder: Object, name: str, path: str = "") -> str:
    """A required string."""
    where = joined(path, name)
    if name not in holder:
        raise bad("missing", where)
    value = holder[name]
    if not isinstance(value, str):
        raise bad("string", where)
    return value


def flag(holder: Object, name: str, path: str = "") -> bool:
    """A boolean that may be left out; without it, False."""
    value = holder.get(name)
    if value is not None and not isinstance(value, bool):
        raise bad("boolean", joined(path, name))
    return bool(value)


def identity(holder: Object, name: str, path: str) -> str:
    """The required id of a call."""
    value = text(holder, name, path)
    if not _ID.fullmatch(value):
        raise bad("pattern", joined(path, name), pattern=f"^{_ID.pattern}$")
    return value


def tag(holder: Object, known: frozenset[str], path: str, usual: str | None = None) -> str:
    """Which of several kinds an object is, by its `type`; `usual` where it may be left out."""
    value = holder.get("type")
    if value is None:
        if usual is None:
            raise bad("missing", joined(path, "type"))
        return usual
    if not isinstance(value, str) or value not in known:
        raise bad("tag", path, got=value, known=listed(known))
    return value


def no_others(holder: Iterable[str], known: frozenset[str], path: str = "") -> None:
    """Complain of the first field that the API does not know."""
    for name in holder:
        if name not in known:
            raise bad("extra", joined(path, name))


def cached(value: object) -> int:
    """How many blocks in a value have a cache_control of their own."""
    if isinstance(value, list):
        return sum(cached(part) for part in value)
    if not isinstance(value, dict):
        return 0
    return (value.get("cache_control") is not None) + cached(value.get("content"))
