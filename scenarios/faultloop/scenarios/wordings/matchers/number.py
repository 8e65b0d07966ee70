"""`number: 3.5, tolerance: 0.1`: a number, exact to the last digit or nearly.

Distances are taken of the numbers as they are written, in decimals: 1.1 is within 0.1 of 1,
whatever binary fractions say.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property

from pydantic import Field, model_validator

from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.wordings.matchers.kind import Matcher, shown

Finite = int | float


class Number(Matcher):
    """A number; a boolean or a text with digits is none."""

    number: int | float
    tolerance: int | float | None = Field(default=None, ge=0)
    """The most that it may be away, in the number's own unit."""
    relative: int | float | None = Field(default=None, ge=0)
    """The most that it may be away, as a fraction of the number: 0.01 is one percent."""

    @model_validator(mode="after")
    def _one_of_the_two(self) -> Number:
        if self.tolerance is not None and self.relative is not None:
            raise ValueError("tolerance and relative stand side by side; keep one of the two")
        return self

    def matches(self, value: JSONValue) -> bool:
        """Whether it is near enough."""
        if type(value) is not int and type(value) is not float:
            return False
        if value == self.number:
            return True
        allowed = self._allowed
        return allowed != 0 and abs(_decimal(value) - _decimal(self.number)) <= allowed

    @cached_property
    def _allowed(self) -> Fraction:
        if self.relative is not None:
            return abs(_decimal(self.relative) * _decimal(self.number))
        return _decimal(self.tolerance or 0)

    @property
    def says(self) -> str:
        """The number, and how near."""
        if self.tolerance:
            return f"a number within {shown(self.tolerance)} of {shown(self.number)}"
        if self.relative:
            percent = float(_decimal(self.relative) * 100)
            return f"a number within {percent:g} % of {shown(self.number)}"
        return f"the number {shown(self.number)}"

    @property
    def types(self) -> frozenset[str]:
        """A number."""
        return frozenset({"number"})

    def own(self) -> Iterator[JSONValue]:
        """The number itself."""
        yield self.number


def _decimal(number: Finite) -> Fraction:
    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))
