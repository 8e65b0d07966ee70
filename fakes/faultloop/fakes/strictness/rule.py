"""What a strictness rule is: one law, and for each API that keeps it how it says so.

A row has a `find`, which looks for the first breach and gives the words to fill the API's own
sentence with. APIs differ in what they pair and how far they look, so rows of one rule may find
differently; where an API is not known to mind, it has no row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from faultloop.fakes.conversation import Conversation

Words = dict[str, object]
"""What the sentence and the path of a complaint are filled with."""

Find = Callable[[Conversation], Words | None]
"""The words of the first breach; None where there is none. Must not raise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """A request that a real provider rejects for what its messages mean together."""

    rule: str
    """Name of the rule, as in the table RULES."""
    message: str
    """The provider's own sentence."""
    param: str | None = None
    code: str | None = None
    status: int = 400


class Row(NamedTuple):
    """How one API keeps a rule."""

    find: Find
    sentence: str
    """In the API's words, with words to be filled in."""
    source: str
    """Where they are from: `owner/repo #number` of who quotes the API, else said in words."""
    param: str | None = None
    """Where the API points, with words to be filled in."""
    code: str | None = None
    status: int = 400
    by_others: bool = False
    """Not by the dialect's own provider but by others who speak it: the level `strict` asks it."""

    def violation(self, rule: str, words: Words) -> Violation:
        """What is answered."""
        return Violation(
            rule=rule,
            message=self.sentence.format(**words),
            param=None if self.param is None else self.param.format(**words),
            code=self.code,
            status=self.status,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One law."""

    law: str
    """In a sentence."""
    rows: Mapping[str, Row]
    """By dialect. An API without a row is not known to keep it, or cannot be told otherwise."""
    local: str = ""
    """Who saw local servers keep it as well; empty where they do not, so that the level `lenient`
    leaves it out."""
