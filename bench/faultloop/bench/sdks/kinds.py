"""Kinds: what an SDK defines, what went over the wire, and why the rest did not.

A family is one set of names that the SDK's types define: types of events, kinds of items, stop
reasons, fields. Each name is either seen on the wire while the rows are played or has its reason
here. A reason for what was seen, or for what the SDK does not define any more, is a mistake too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One set of names."""

    name: str
    """What they are, for people: `event types`."""
    defined: frozenset[str]
    """By the SDK."""
    reasons: Mapping[str, str]
    """Why those that are not said are not, by glob."""

    def glob_of(self, name: str) -> str | None:
        """The first glob that a name is meant by, if any."""
        return next((glob for glob in self.reasons if fnmatchcase(name, glob)), None)

    def wrong(self, seen: Iterable[str]) -> Iterator[str]:
        """What does not add up, a sentence each."""
        said = set(seen)
        for name in sorted(said - self.defined):
            yield f"{self.name}: {name} went over the wire, and the SDK does not know it"
        for name in sorted(self.defined - said):
            if self.glob_of(name) is None:
                yield f"{self.name}: the SDK defines {name}, which was not said, and no reason why"
        for glob in self.reasons:
            named = [name for name in self.defined if self.glob_of(name) == glob]
            if not named:
                yield f"{self.name}: a reason is given for {glob}, which the SDK does not define"
            elif told := sorted(said.intersection(named)):
                yield f"{self.name}: {told[0]} was said, and {glob} has a reason why it is not"
