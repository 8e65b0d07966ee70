"""Two tools whose descriptions say nearly the same.

The measure: the words of the two purposes as sets, without those of `STOPWORDS` and without an s at
the end; the size of what both have over the size of what either has (Jaccard's index). At
`SIMILARITY` and above the two are called near duplicates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from faultloop.loop.contract.lint.rule import Rule, Spot
from faultloop.loop.contract.lint.specimen import Specimen
from faultloop.loop.contract.lint.words import content_words

SIMILARITY = 0.75


def similarity(one: str, other: str) -> float:
    """How alike two texts are: 0 nothing in common, 1 the same words."""
    left, right = content_words(one), content_words(other)
    return len(left & right) / len(left | right) if left and right else 0.0


def _look(tools: Sequence[Specimen]) -> Iterator[Spot]:
    for one, other in combinations(tools, 2):
        alike = similarity(one.contract.purpose, other.contract.purpose)
        if alike >= SIMILARITY:
            saw = f"{alike:.0%} of its words are those of {one.name}"
            yield Spot(other, other.pointer("purpose"), saw)


RULE = Rule(
    id="near-duplicate",
    what="two descriptions that say nearly the same",
    why="where two tools fit equally the choice is a coin's, and differs from run to run",
    advice="say in each what the other is not for, or make one tool of the two",
    look=_look,
)
