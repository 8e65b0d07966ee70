"""Reading what servers send, as leniently as its meaning allows (SPEC P3).

Servers that call themselves compatible leave fields out, send null for them, number what should be
named, or add their own. A field is read for what it may mean; what means nothing counts as left
out. Only what is no JSON at all, or no object, is damage of the wire.
"""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec

from faultloop.loop.providers.port import ProviderFailure, UsageDelta

Object = dict[str, Any]

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What the fast reader raises for what it cannot read."""


def decoded(data: str | bytes, what: str) -> Object:
    """The JSON object of an event or a body. Raises ProviderFailure (`broken`)."""
    try:
        found = msgspec.json.decode(data)
    except UNREADABLE:
        found = halves(data, what)
    if not isinstance(found, dict):
        raise ProviderFailure("broken", f"{what} cannot be read: it is no JSON object")
    return found


def halves(data: str | bytes, what: str) -> object:
    """The JSON value, read slowly: some servers escape a character's two halves in two events,
    which the fast reader refuses, and the assembler joins again. Raises ProviderFailure."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise unreadable(what, error) from error


def unreadable(what: str, error: Exception) -> ProviderFailure:
    """Damage of the wire, in a sentence."""
    why = "it is nested too deeply" if isinstance(error, RecursionError) else error
    return ProviderFailure("broken", f"{what} cannot be read: {why}")


def mapping(given: Any) -> Object:
    """An object; an empty one for anything else."""
    return given if isinstance(given, dict) else {}


def mappings(given: Any) -> list[Object]:
    """The objects of a list."""
    return [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []


def text(given: Any) -> str:
    """A text as such, or in parts, as newer servers send it."""
    if isinstance(given, str):
        return given
    parts = given if isinstance(given, list) else [given]
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return "".join(text for text in texts if isinstance(text, str))


def word(given: Any) -> str:
    """A name or id; some servers number them. 0 and false mean none."""
    if isinstance(given, str):
        return given
    return str(given) if given and isinstance(given, int | float) else ""


def number(given: Any) -> int | None:
    """A whole number, also where it came as a float or in quotes; None for anything else."""
    try:
        return int(given) if isinstance(given, int | float | str) else None
    except (ValueError, OverflowError):
        return None


def seconds(text: str) -> float | None:
    """A length of time that is not below nothing; None for anything else."""
    try:
        found = float(text)
    except ValueError:
        return None
    return max(0.0, found) if math.isfinite(found) else None


def arguments(given: Any) -> str:
    """Some servers send the arguments decoded; the text is what the loop works with.

    Raises ProviderFailure where they are nested too deeply to be text again.
    """
    if given is None or isinstance(given, str):
        return given or ""
    try:
        return json.dumps(given, ensure_ascii=False, separators=(",", ":"))
    except RecursionError as error:
        raise unreadable("a call's arguments", error) from error


def counted(read: int | None, written: int | None, cached: int | None) -> tuple[UsageDelta, ...]:
    """Token counts; nothing where nothing was counted: that is not the same as none."""
    if read is None and written is None:
        return ()
    return (UsageDelta(read or 0, written or 0, cached or 0),)
