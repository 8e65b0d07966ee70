"""`regex: '...'`: a text that a regular expression describes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from pydantic import model_validator

from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.wordings.matchers.kind import Matcher


class Regex(Matcher):
    """The whole text matches; Python's `re` is what is spoken."""

    regex: str
    anywhere: bool = False
    """Whether a part of the text is enough."""
    ignore_case: bool = False
    such_as: str | None = None
    """A right text: the validator makes the task's own answer of it."""

    @model_validator(mode="after")
    def _sound(self) -> Regex:
        try:
            _ = self._pattern
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"this is no regular expression: {error}") from None
        if self.such_as is not None and not self.matches(self.such_as):
            raise ValueError(f"it does not match what stands under such_as, {self.such_as!r}")
        return self

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self.regex, re.IGNORECASE if self.ignore_case else 0)

    def matches(self, value: JSONValue) -> bool:
        """Whether it is such a text."""
        if type(value) is not str:
            return False
        look = self._pattern.search if self.anywhere else self._pattern.fullmatch
        return look(value) is not None

    @property
    def says(self) -> str:
        """The expression."""
        return f"a text {'with a part ' if self.anywhere else ''}like /{self.regex}/"

    @property
    def types(self) -> frozenset[str]:
        """A text."""
        return frozenset({"string"})

    def own(self) -> Iterator[JSONValue]:
        """What it says it is like."""
        if self.such_as is not None:
            yield self.such_as
