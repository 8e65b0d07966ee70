"""`one_of: [...]`: any of several values or matchers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field, SerializeAsAny

from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.wordings.matchers.kind import ANY_TYPE, Matcher, alternatives


class OneOf(Matcher):
    """Right where any of its members says so."""

    holds: ClassVar[frozenset[str]] = frozenset({"one_of"})
    one_of: tuple[SerializeAsAny[Matcher], ...] = Field(min_length=1)

    def matches(self, value: JSONValue) -> bool:
        """Whether a member matches."""
        return any(member.matches(value) for member in self.one_of)

    @property
    def says(self) -> str:
        """All of them."""
        return alternatives([member.says for member in self.one_of], "or")

    @property
    def types(self) -> frozenset[str]:
        """Those of all members, unless one cannot say."""
        each = [member.types for member in self.one_of]
        return frozenset().union(*each) if all(each) else ANY_TYPE

    def own(self) -> Iterator[JSONValue]:
        """Those of every member."""
        for member in self.one_of:
            yield from member.own()
