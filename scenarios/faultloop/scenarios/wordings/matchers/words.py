"""`words: April 1, 2024`: the same words and numbers in the same order, however they are set.

Case, spaces and the signs , . / - _ * ^ between words say nothing, and both quotes are one. What
belongs to a number or a word stays: the point of 1.5, the minus of -5, the dot of a.py. Only single
letters with dots are read together, so that U.S. and US are one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.wordings.matchers.kind import Matcher, shown

ABBREVIATED = re.compile(r"\b(?:[^\W\d_]\.)+[^\W\d_]?(?!\w)")
WORD = re.compile(r"(?<![^\s(\[{=:<>/,*^])-\d+(?:\.\d+)*|[^\W_]+(?:\.[^\W_]+)*|[^\w\s,./\-*^]")
READ_MAX = 65_536
"""Texts that are remembered: tasks ask for the same ones again and again."""


class Words(Matcher):
    """A text with the same words."""

    words: str

    def matches(self, value: JSONValue) -> bool:
        """Whether the words are the same."""
        if type(value) is not str:
            return False
        return value == self.words or words_of(value) == words_of(self.words)

    @property
    def says(self) -> str:
        """The text."""
        return f"the words {shown(self.words)}"

    @property
    def types(self) -> frozenset[str]:
        """A text."""
        return frozenset({"string"})

    def own(self) -> Iterator[JSONValue]:
        """The text as it stands: others may be none that the schema admits."""
        yield self.words


@lru_cache(READ_MAX)
def words_of(text: str) -> tuple[str, ...]:
    """The words, numbers and other signs of a text."""
    plain = text.lower().replace("'", '"')
    joined = ABBREVIATED.sub(lambda found: found[0].replace(".", ""), plain)
    return tuple(WORD.findall(joined))
