"""Reading JSON that a model wrote, and nothing but JSON.

Python's own reader accepts more than the standard (`NaN`), and values that no provider or journal
could carry on (infinite numbers, halves of a surrogate pair), and it raises four different things
for what it does not like. Here every text is either a value or a `NotJSON` with a place in it.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn, cast

import msgspec

JSONValue = dict[str, "JSONValue"] | list["JSONValue"] | str | int | float | bool | None

WHITESPACE = " \t\n\r"

MARKS = re.compile(r'\\.|["\[\]{}]', re.DOTALL)
"""All that tells depth: quotes, brackets, and escaped characters, which are neither. Each is found
in one step without looking back, so a hostile text costs no more than its length."""

DIGITS_MAX = 300
"""Longer whole numbers are refused: the reader's own limit is a setting of the process."""

DEPTH_MAX = 100
"""Deeper values are refused: validators and encoders give up at a few hundred levels, each at its
own, and no tool takes such a thing."""


class NotJSON(msgspec.Struct, frozen=True, kw_only=True):
    """A text is not one JSON value, and where it stops being one."""

    reason: str
    position: int | None = None
    """Characters before the fault, where the reader knows it."""
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        """A sentence's middle, e.g. `Expecting value at line 1, column 5`."""
        if self.line is None:
            return self.reason
        return f"{self.reason} at line {self.line}, column {self.column}"


class Value(msgspec.Struct, frozen=True):
    """A decoded value; wrapped, since None is one of them."""

    value: JSONValue


class Glued(msgspec.Struct, frozen=True):
    """Several complete values stood one after the other with nothing but space between."""

    values: tuple[JSONValue, ...]


def read(text: str) -> Value | NotJSON:
    """Decode a text that is exactly one JSON value."""
    if _too_deep(text):
        return _TOO_DEEP
    try:
        return _sound(_DECODER.decode(text), text)
    except json.JSONDecodeError as error:
        return _not_json(error)
    except ValueError as error:
        return NotJSON(reason=str(error))


def unquestioned(text: str) -> JSONValue:
    """The value, where `read` would give it without a question: no key twice, no escapes that may
    be half a character. None says nothing: it may be null, no JSON, or all that and more."""
    if "\\u" in text or _too_deep(text):
        return None
    try:
        return cast(JSONValue, _WATCHING.decode(text))
    except (ValueError, _Repeated):
        return None


def read_glued(text: str) -> Glued | NotJSON:
    """Decode a text that is one JSON value after the other; a cut last one spoils them all."""
    if _too_deep(text):
        return _TOO_DEEP
    values: list[JSONValue] = []
    position = 0
    try:
        while position < len(text):
            decoded, end = _DECODER.raw_decode(text, position)
            sound = _sound(decoded, text[position:end])
            if isinstance(sound, NotJSON):
                return sound
            values.append(sound.value)
            position = _past_space(text, end)
    except json.JSONDecodeError as error:
        return _not_json(error)
    except ValueError as error:
        return NotJSON(reason=str(error))
    return Glued(tuple(values))


def copied(value: Any) -> Any:
    """A copy of a decoded value that shares nothing with it that could be changed.

    Whatever code is not this loop's own (a tool, a permission check, a declaration's functions) is
    handed one: what it does to it reaches nobody else (SPEC C3).
    """
    if isinstance(value, dict):
        return {key: copied(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [copied(inner) for inner in value]
    return value


def repeated_key(text: str) -> str | None:
    """A key that stands more than once in one object; None where there is none, or no JSON.

    The standard leaves open what that means; readers take the last value without a word.
    """
    try:
        _WATCHING.decode(text)
    except _Repeated as found:
        return found.key
    except ValueError:
        return None
    return None


def _past_space(text: str, position: int) -> int:
    while position < len(text) and text[position] in WHITESPACE:
        position += 1
    return position


def _sound(value: object, text: str) -> Value | NotJSON:
    # Only an escape can smuggle half a character in; the check costs nothing for other texts.
    if "\\u" in text:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            return NotJSON(reason="a \\u escape stands for half a character (a lone surrogate)")
    return Value(cast(JSONValue, value))


def _not_json(error: json.JSONDecodeError) -> NotJSON:
    # Some of the reader's messages end in "at", as if the place followed.
    reason = error.msg.removesuffix(" at")
    return NotJSON(reason=reason, position=error.pos, line=error.lineno, column=error.colno)


def _too_deep(text: str) -> bool:
    # Counting is cheap and settles it for all ordinary texts: few brackets cannot nest deeply.
    if text.count("[") + text.count("{") <= DEPTH_MAX:
        return False
    depth, in_string = 0, False
    for mark in MARKS.finditer(text):
        character = mark[0]
        if character == '"':
            in_string = not in_string
        elif in_string or character[0] == "\\":
            continue
        else:
            depth += 1 if character in "[{" else -1
        if depth > DEPTH_MAX:
            return True
    return False


class _Repeated(Exception):
    """Two values under one key."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _Repeated(key)
        found[key] = value
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"the number {digits[:40]} is too large")
    return number


def _bounded(digits: str) -> int:
    if len(digits) > DIGITS_MAX:
        raise ValueError(f"a whole number has {len(digits)} digits; at most {DIGITS_MAX} are read")
    return int(digits)


_TOO_DEEP = NotJSON(reason=f"it is nested deeper than {DEPTH_MAX} levels")

_DECODER = json.JSONDecoder(
    parse_constant=_refuse_constant, parse_float=_finite, parse_int=_bounded
)
_WATCHING = json.JSONDecoder(
    parse_constant=_refuse_constant,
    parse_float=_finite,
    parse_int=_bounded,
    object_pairs_hook=_once_each,
)
