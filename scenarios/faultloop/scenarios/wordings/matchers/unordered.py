"""`unordered: [...]`: a list whose order says nothing; each item is a value or a matcher."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import SerializeAsAny

from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.wordings.assignment import best
from faultloop.scenarios.wordings.matchers.kind import Matcher


class Unordered(Matcher):
    """A list with one item for each member, in any order.

    Members and items are assigned to each other as well as can be, so an item that several members
    would take is never given to the wrong one.
    """

    holds: ClassVar[frozenset[str]] = frozenset({"unordered"})
    unordered: tuple[SerializeAsAny[Matcher], ...]
    repeats: bool = False
    """Whether an item may stand there more than once: then the list is a set."""

    def matches(self, value: JSONValue) -> bool:
        """Whether the lists are the same but for their order."""
        if not isinstance(value, list):
            return False
        members = self.unordered
        if not members or not value:
            return not members and not value
        if not self.repeats and len(value) != len(members):
            return False
        fits = [[member.matches(item) for item in value] for member in members]
        if not all(map(any, fits)) or not all(map(any, zip(*fits, strict=True))):
            return False
        if self.repeats:
            return True
        pairs = best(fits)
        return all(
            column is not None and row[column] for row, column in zip(fits, pairs, strict=True)
        )

    @property
    def says(self) -> str:
        """The members."""
        members = ", ".join(member.says for member in self.unordered)
        again = ", repeated or not" if self.repeats else ""
        return f"a list in any order of [{members}]{again}"

    @property
    def types(self) -> frozenset[str]:
        """A list."""
        return frozenset({"array"})

    def own(self) -> Iterator[JSONValue]:
        """The members' own, each as often as one has several, and the same backwards."""
        for items in variations([list(member.own()) for member in self.unordered]):
            yield items
            if len(items) > 1:
                yield items[::-1]


def variations(each: list[list[JSONValue]]) -> Iterator[list[JSONValue]]:
    """Lists with one value of each, so that every value is in one of them; none where one of them
    has no value at all."""
    if not all(each):
        return
    for number in range(max(map(len, each), default=1)):
        yield [values[min(number, len(values) - 1)] for values in each]
