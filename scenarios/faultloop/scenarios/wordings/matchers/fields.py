"""`fields: {...}`, or a plain mapping with matchers in it: an object, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import SerializeAsAny

from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.wordings.matchers.kind import Matcher
from faultloop.scenarios.wordings.matchers.unordered import variations


class Fields(Matcher):
    """An object with exactly these fields, each of them right."""

    holds: ClassVar[bool] = True
    fields: dict[str, SerializeAsAny[Matcher]]
    others: bool = False
    """Whether it may have more fields, with whatever in them."""

    def matches(self, value: JSONValue) -> bool:
        """Whether each field is there and right."""
        if not isinstance(value, dict) or (not self.others and len(value) > len(self.fields)):
            return False
        return all(
            name in value and member.matches(value[name]) for name, member in self.fields.items()
        )

    @property
    def says(self) -> str:
        """The fields."""
        fields = ", ".join(f"{name}: {member.says}" for name, member in self.fields.items())
        return f"{{{fields}{', and others' if self.others else ''}}}"

    @property
    def types(self) -> frozenset[str]:
        """An object."""
        return frozenset({"object"})

    def own(self) -> Iterator[JSONValue]:
        """One of each field's own."""
        for values in variations([list(member.own()) for member in self.fields.values()]):
            yield dict(zip(self.fields, values, strict=True))
