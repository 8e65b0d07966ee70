"""`fields: {...}`, or a plain mapping with matchers in it: an object, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field, SerializeAsAny

from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.wordings.matchers.kind import Matcher
from faultloop.scenarios.wordings.matchers.unordered import variations


class Fields(Matcher):
    """An object with exactly these fields, each of them right."""

    holds: ClassVar[frozenset[str]] = frozenset({"fields", "may_have"})
    fields: dict[str, SerializeAsAny[Matcher]]
    may_have: dict[str, SerializeAsAny[Matcher]] = Field(default_factory=dict)
    """Fields that may be left out; where they are there, they must be right."""
    others: bool = False
    """Whether it may have more fields, with whatever in them."""

    def matches(self, value: JSONValue) -> bool:
        """Whether each field is there and right."""
        if not isinstance(value, dict) or not self.fields.keys() <= value.keys():
            return False
        for name, inner in value.items():
            member = self.fields.get(name) or self.may_have.get(name)
            if member is None and not self.others:
                return False
            if member is not None and not member.matches(inner):
                return False
        return True

    @property
    def says(self) -> str:
        """The fields."""
        fields = [f"{name}: {member.says}" for name, member in self.fields.items()]
        fields += [f"perhaps {name}: {member.says}" for name, member in self.may_have.items()]
        return f"{{{', '.join(fields)}{', and others' if self.others else ''}}}"

    @property
    def types(self) -> frozenset[str]:
        """An object."""
        return frozenset({"object"})

    def own(self) -> Iterator[JSONValue]:
        """One of each field's own, without what may be left out, and with it."""
        for members in (self.fields, self.fields | self.may_have):
            for values in variations([list(member.own()) for member in members.values()]):
                yield dict(zip(members, values, strict=True))
            if not self.may_have:
                return
