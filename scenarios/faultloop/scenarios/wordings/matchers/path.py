"""`path: src/app.py, root: /work`: the same place, however it is spelt.

Paths are those of POSIX, and only their text is looked at: `..` takes a step back whatever links
there may be, and case is kept.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import cached_property

from pydantic import Field, field_validator

from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.wordings.matchers.kind import Matcher, shown


class Path(Matcher):
    """Equal after `.`, `..`, doubled and trailing slashes are taken out."""

    path: str = Field(min_length=1)
    root: str | None = None
    """The workspace, absolute: a relative path is below it, so that both spellings are one."""

    @field_validator("root")
    @classmethod
    def _absolute(cls, root: str | None) -> str | None:
        if root is not None and not root.startswith("/"):
            raise ValueError("a root is an absolute path; begin with '/'")
        return root

    def matches(self, value: JSONValue) -> bool:
        """Whether it is the same place."""
        if value == self.path:
            return True
        return type(value) is str and value != "" and normal(value, self.root) == self._normal

    @cached_property
    def _normal(self) -> str:
        return normal(self.path, self.root)

    @property
    def says(self) -> str:
        """The path."""
        below = f", also written from {self.root}" if self.root else ""
        return f"the path {shown(self.path)}{below}"

    @property
    def types(self) -> frozenset[str]:
        """A text."""
        return frozenset({"string"})

    def own(self) -> Iterator[JSONValue]:
        """The path; below a root also the absolute one."""
        yield self.path
        if self.root is not None and not self.path.startswith("/"):
            yield self._normal


def normal(path: str, root: str | None = None) -> str:
    """The one spelling of a path; with a root, an absolute one."""
    joined = path if root is None else posixpath.join(root, path)
    found = posixpath.normpath(joined)
    return found[1:] if found.startswith("//") else found  # POSIX lets two slashes mean something
