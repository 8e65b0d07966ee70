"""The few words of English that the rules know. Tables: a rule that needs more is too clever."""

from __future__ import annotations

import re

READING = frozenset(
    {"get", "list", "read", "show", "find", "search", "view", "status", "describe", "query"}
    | {"fetch", "count", "check", "inspect", "download", "diff", "log"}
)
DESTROYING = frozenset(
    {"delete", "remove", "drop", "purge", "reset", "kill", "wipe", "clear", "clean", "destroy"}
    | {"erase", "truncate", "revoke", "uninstall"}
)
CHANGING = DESTROYING | frozenset(
    {"create", "update", "write", "edit", "add", "set", "put", "move", "rename", "insert", "append"}
    | {"send", "start", "stop", "run", "merge", "close", "open", "push", "replace", "upload"}
)
STOPWORDS = frozenset(
    {"a", "an", "the", "of", "to", "in", "on", "for", "and", "or", "with", "from", "by", "at", "as"}
    | {"it", "its", "this", "that", "is", "are", "be", "one", "all", "any", "you", "your", "use"}
)

_WORD = re.compile(r"[A-Za-z0-9']+")
_NAME_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return [word.casefold() for word in _WORD.findall(text)]


def name_words(name: str) -> list[str]:
    """The words of a name in snake, kebab or camel case."""
    return [word.casefold() for word in _NAME_WORD.findall(name)]


def first_word(text: str) -> str:
    """The first word, without the s of a third person."""
    found = name_words(text)
    return _plain(found[0]) if found else ""


def content_words(text: str) -> frozenset[str]:
    """What is left to tell two texts apart."""
    return frozenset(_plain(word) for word in words(text) if word not in STOPWORDS)


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text."""
    return [part.strip() for part in re.split(r"(?<=[.!?])\s+|\n", text) if part.strip()]


def _plain(word: str) -> str:
    for ending, instead in (("sses", "ss"), ("ies", "y")):
        if word.endswith(ending):
            return word.removesuffix(ending) + instead
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us")) else word
