"""What every kind of matcher is: a frozen model that judges one value of decoded JSON.

A matcher is a pure function of the value: no clock, no file, no other argument. Values are what
`loop.strict_json` makes of an argument's text, so whole and broken numbers are of one kind (1 and
1.0 are the same number), and a number never equals a text or a boolean.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from faultloop.loop.strict_json import JSONValue

ANY_TYPE: frozenset[str] = frozenset()
"""Says nothing of the value's type."""


class Matcher(BaseModel, ABC):
    """One kind of matcher."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
    )
    holds: ClassVar[frozenset[str]] = frozenset()
    """Fields that hold matchers, as a list or as a mapping."""

    @abstractmethod
    def matches(self, value: JSONValue) -> bool:
        """Whether the value is right."""

    @property
    @abstractmethod
    def says(self) -> str:
        """What is wanted, for people: fits after "expected"."""

    @property
    def types(self) -> frozenset[str]:
        """JSON types of right values, as `json_type` names them; ANY_TYPE where it cannot say."""
        return ANY_TYPE

    def own(self) -> Iterator[JSONValue]:
        """Right values that follow from the matcher itself; none where nothing follows."""
        yield from ()


def json_type(value: JSONValue) -> str:
    """`string`, `number`, `boolean`, `null`, `array` or `object`."""
    return TYPES[type(value)]


TYPES: Mapping[type, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    list: "array",
    dict: "object",
}


SHOWN_CHARS_MAX = 80


def shown(value: JSONValue) -> str:
    """A value as JSON, shortened, for people."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN_CHARS_MAX else text[: SHOWN_CHARS_MAX - 3] + "..."


def alternatives(says: list[str], word: str) -> str:
    """`a, b or c`."""
    *first, last = says
    return f"{', '.join(first)} {word} {last}" if first else last
