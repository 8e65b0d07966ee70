"""`anything: true`: the argument must be there, whatever its value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.wordings.matchers.kind import Matcher


class Anything(Matcher):
    """Any value; the tool's schema still has its say."""

    anything: Literal[True] = True
    such_as: Any = None
    """A right value: the validator makes the task's own answer of it."""

    def matches(self, value: JSONValue) -> bool:
        """Yes."""
        return True

    @property
    def says(self) -> str:
        """So."""
        return "any value"

    def own(self) -> Iterator[JSONValue]:
        """What it says it is like."""
        if "such_as" in self.model_fields_set:
            yield self.such_as
