"""BERT's uncased tokenizer: a text as numbers of the vocabulary beside this file (`bert_uncased/`).

As published with BERT (Devlin et al., 2018) and done by its usual implementations: clean, set Han
characters apart, take accents off, small letters, split at spaces and punctuation, then the longest
piece of the vocabulary first. One thing is meant to differ: `[SEP]` in a text is five characters
here and never the separator itself, so that what a user writes cannot end the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

WORD_CHARS_MAX = 100
"""A longer word is unknown as a whole, as in the original."""

HAN = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


@lru_cache(maxsize=1)
def vocabulary() -> dict[str, int]:
    """Piece to number: the line that it stands in."""
    folder = files("faultloop.scenarios.wordings.models.embedded") / "bert_uncased"
    text = (folder / "vocab.txt").read_text(encoding="utf-8")
    return {piece: number for number, piece in enumerate(text.removesuffix("\n").split("\n"))}


def numbers(text: str, *, pieces_max: int) -> list[int]:
    """A text as the model reads it: `[CLS]`, at most so many pieces less two, `[SEP]`."""
    known = vocabulary()
    found: list[int] = []
    for word in words(text):
        found.extend(_pieces(word))
        if len(found) > pieces_max - 2:
            break
    return [known["[CLS]"], *found[: pieces_max - 2], known["[SEP]"]]


def words(text: str) -> Iterator[str]:
    """The words of a text, each character of punctuation and each Han character a word."""
    for run in _normal(text).split():
        start = 0
        for at, char in enumerate(run):
            if _is_punctuation(char):
                if start < at:
                    yield run[start:at]
                yield char
                start = at + 1
        if start < len(run):
            yield run[start:]


def _normal(text: str) -> str:
    cleaned = "".join(_cleaned(char) for char in text)
    bare = unicodedata.normalize("NFD", cleaned)
    return "".join(char for char in bare if unicodedata.category(char) != "Mn").lower()


@lru_cache(maxsize=4096)
def _cleaned(char: str) -> str:
    if char in "\t\n\r":
        return " "
    if char == "\ufffd" or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs"):
        return ""
    if char.isspace():
        return " "
    return f" {char} " if any(low <= ord(char) <= high for low, high in HAN) else char


def _is_punctuation(char: str) -> bool:
    if char.isascii():
        return char.isprintable() and not char.isalnum() and char != " "
    return unicodedata.category(char).startswith("P")


@lru_cache(maxsize=8192)
def _pieces(word: str) -> tuple[int, ...]:
    """The longest known beginning, then the longest known going on, to the end; else unknown."""
    known = vocabulary()
    unknown = (known["[UNK]"],)
    if len(word) > WORD_CHARS_MAX:
        return unknown
    found: list[int] = []
    start = 0
    while start < len(word):
        prefix = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if prefix + word[start:end] in known), None)
        if end is None:
            return unknown
        found.append(known[prefix + word[start:end]])
        start = end
    return tuple(found)
