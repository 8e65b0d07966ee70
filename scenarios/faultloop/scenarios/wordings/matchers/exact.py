"""`exact: value`, or the plain value: equal as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.wordings.matchers.kind import Matcher, json_type, shown


class Exact(Matcher):
    """Equal as JSON: the same type, and the same value to the bottom.

    1 and 1.0 are one number; "5" is not 5, and true is not 1. The order of an object's keys says
    nothing.
    """

    exact: Any  # any JSON value, and pydantic has no shorter word for that

    def matches(self, value: JSONValue) -> bool:
        """Whether it is the same."""
        return same(self.exact, value)

    @property
    def says(self) -> str:
        """The value."""
        return shown(self.exact)

    @property
    def types(self) -> frozenset[str]:
        """That of the value."""
        return frozenset({json_type(self.exact)})

    def own(self) -> Iterator[JSONValue]:
        """The value."""
        yield self.exact


def same(left: JSONValue, right: JSONValue) -> bool:
    """Whether two values are equal as JSON."""
    kind = type(left)
    if kind is str or kind is bool or left is None:
        return type(right) is kind and left == right
    if isinstance(left, list):
        return isinstance(right, list) and len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return (
            isinstance(right, dict)
            and left.keys() == right.keys()
            and all(same(value, right[key]) for key, value in left.items())
        )
    return type(right) in (int, float) and left == right
