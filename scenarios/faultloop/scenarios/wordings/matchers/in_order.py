"""`in_order: [...]`, or a plain list with matchers in it: item by item, in this order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import SerializeAsAny

from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.wordings.matchers.kind import Matcher
from faultloop.scenarios.wordings.matchers.unordered import variations


class InOrder(Matcher):
    """A list with an item for each member, in this order."""

    holds: ClassVar[frozenset[str]] = frozenset({"in_order"})
    in_order: tuple[SerializeAsAny[Matcher], ...]

    def matches(self, value: JSONValue) -> bool:
        """Whether each item is right."""
        return (
            isinstance(value, list)
            and len(value) == len(self.in_order)
            and all(member.matches(item) for member, item in zip(self.in_order, value, strict=True))
        )

    @property
    def says(self) -> str:
        """The members."""
        return f"[{', '.join(member.says for member in self.in_order)}]"

    @property
    def types(self) -> frozenset[str]:
        """A list."""
        return frozenset({"array"})

    def own(self) -> Iterator[JSONValue]:
        """One of each member's own."""
        yield from variations([[*member.own()] for member in self.in_order])
