"""The terms of a text and of a tool's face: what `embedded:lexical` counts.

A word of any script with spaces is a term, in small letters and without the endings of its plural;
names in snake, kebab or camel case fall into their words. Scripts without spaces have no words to
find without a dictionary: there, every pair of neighbouring characters is a term.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from faultloop.loop.contract import Contract

_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Kana, Han and Hangul."""
_LETTER = rf"[^\W\d_{_UNSPACED}]"
_FOREIGN = rf"[^\W\d_A-Za-z{_UNSPACED}]"
_PIECE = re.compile(
    rf"([{_UNSPACED}]+)|{_LETTER}*{_FOREIGN}{_LETTER}*|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+"
)
"""Names are ASCII: only there capitals part words."""

IDLE = frozenset(
    {"a", "an", "the", "of", "to", "in", "on", "for", "and", "or", "with", "from", "by", "at", "as"}
    | {"it", "its", "this", "that", "these", "those", "is", "are", "be", "was", "were", "been"}
    | {"i", "me", "my", "we", "our", "you", "your", "they", "them", "their", "he", "she", "if"}
    | {"do", "does", "did", "can", "could", "will", "would", "should", "may", "must", "have", "has"}
    | {"what", "which", "who", "how", "when", "where", "why", "there", "here", "so", "than", "then"}
    | {"use", "please", "want", "need", "not", "no", "s", "t", "m", "re", "ll", "ve", "d"}
)
"""English words that stand in every kind of sentence. `not` and `no` are among them: a word has no
idea of what it negates, and counting it would only pretend to."""


@lru_cache(maxsize=4096)
def terms(text: str) -> tuple[str, ...]:
    """The terms of a text, in its order."""
    found: list[str] = []
    for piece in _PIECE.finditer(text):
        if unspaced := piece[1]:
            pairs = [unspaced[at : at + 2] for at in range(len(unspaced) - 1)]
            found.extend(pairs or [unspaced])
        elif (word := piece[0].lower()) not in IDLE:
            found.append(_singular(word))
    return tuple(found)


def _singular(word: str) -> str:
    """Without the ending of an English plural or third person (Harman's S-stemmer, 1991)."""
    if len(word) > 4 and word.endswith("ies") and word[-4] not in "ae":
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("es") and word[-3] not in "aeo":
        return word[:-1]
    if len(word) > 3 and word.endswith("s") and word[-2] not in "us":
        return word[:-1]
    return word


def face_texts(contract: Contract) -> Iterator[str]:
    """What a model reads of a tool, in its order: name, description, parameters."""
    yield contract.name
    yield contract.description()
    yield from schema_texts(contract.parameters)


def schema_texts(schema: object) -> Iterator[str]:
    """The names, descriptions and words to choose from in a JSON Schema, as deep as it goes."""
    if isinstance(schema, list):
        for part in schema:
            yield from schema_texts(part)
    if not isinstance(schema, Mapping):
        return
    for key, part in schema.items():
        if key in ("properties", "$defs", "definitions") and isinstance(part, Mapping):
            for name, inner in part.items():
                yield str(name)
                yield from schema_texts(inner)
        elif key in ("description", "title") and isinstance(part, str):
            yield part
        elif key in ("enum", "examples") and isinstance(part, list):
            yield from (text for text in part if isinstance(text, str))
        else:
            yield from schema_texts(part)
