"""BM25 over a few documents: a pure function of their terms, all but the look-up done beforehand.

Robertson's weights with the idf that is never negative (as Lucene has it): in a set of four tools
a word that three of them have would otherwise count against them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

SATURATION = 1.2
"""`k1`: how soon a term that is said again adds nothing more. The usual value."""
LENGTH = 0.75
"""`b`: how far a long document is held to say more than it means. The usual value."""


class Index:
    """The weights of every term in every document."""

    def __init__(self, documents: Mapping[str, Sequence[str]]) -> None:
        self.names = sorted(documents)
        counts = [Counter(documents[name]) for name in self.names]
        lengths = [len(documents[name]) for name in self.names]
        mean = sum(lengths) / len(lengths) if any(lengths) else 1.0
        spread = Counter(term for count in counts for term in count)
        self._weights: dict[str, list[tuple[int, float]]] = {term: [] for term in spread}
        for at, count in enumerate(counts):
            damping = SATURATION * (1 - LENGTH + LENGTH * lengths[at] / mean)
            for term, times in count.items():
                rarity = log(1 + (len(counts) - spread[term] + 0.5) / (spread[term] + 0.5))
                weight = rarity * times * (SATURATION + 1) / (times + damping)
                self._weights[term].append((at, weight))

    def scores(self, terms: Iterable[str]) -> list[float]:
        """Each document's score, in the order of `names`; a term that is said twice counts once."""
        totals = [0.0] * len(self.names)
        for term in dict.fromkeys(terms):
            for at, weight in self._weights.get(term, ()):
                totals[at] += weight
        return totals
