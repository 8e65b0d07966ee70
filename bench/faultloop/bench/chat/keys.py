"""From the bytes of a terminal to keys.

Text is UTF-8 and may come in pieces. An escape sequence is read whole; an escape alone is the key
Esc, and only time can tell the two apart: whoever reads calls `ended` when nothing followed for
ESCAPE_WAIT_S. An escape before a letter is Esc and then that letter: a person who stops a turn and
types on means both. A paste is one key, so that its line breaks send nothing.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

ESCAPE_WAIT_S = 0.05

CONTROLS: Mapping[str, str] = MappingProxyType(
    {
        "\r": "enter",
        "\n": "enter",
        "\x7f": "backspace",
        "\x08": "backspace",
        "\x01": "home",
        "\x02": "left",
        "\x04": "end_of_input",
        "\x05": "end",
        "\x06": "right",
        "\x0b": "kill_after",
        "\x0e": "down",
        "\x10": "up",
        "\x15": "kill_before",
        "\x17": "kill_word",
    }
)
"""Control characters that mean something, as in every shell."""

SEQUENCES: Mapping[str, str] = MappingProxyType(
    {
        "[A": "up",
        "[B": "down",
        "[C": "right",
        "[D": "left",
        "[H": "home",
        "[F": "end",
        "[1~": "home",
        "[3~": "delete",
        "[4~": "end",
        "OA": "up",
        "OB": "down",
        "OC": "right",
        "OD": "left",
        "OH": "home",
        "OF": "end",
    }
)
"""What stands behind an escape, and means something here."""

ESCAPE = "\x1b"
PASTE_BEGINS, PASTE_ENDS = "\x1b[200~", "\x1b[201~"
SEQUENCE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|O[@-~])")
UNFINISHED = re.compile(r"\x1b(\[[0-?]*[ -/]*|O)?\Z")
TEXT = re.compile(r"[^\x00-\x1f\x7f]+")


class Key(NamedTuple):
    """One key; `text` is what `text` and `paste` bring."""

    name: str
    text: str = ""


class Keys:
    """The keys of one terminal."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    @property
    def is_unsure(self) -> bool:
        """Whether what came last may be Esc, or the beginning of something longer."""
        return self._rest.startswith(ESCAPE) and not self._rest.startswith(PASTE_BEGINS)

    def feed(self, data: bytes) -> list[Key]:
        """The keys that are complete with these bytes."""
        self._rest += self._decoder.decode(data)
        keys: list[Key] = []
        while self._rest:
            key, length = self._next()
            if length == 0:
                break
            self._rest = self._rest[length:]
            if key is not None:
                keys.append(key)
        return keys

    def ended(self) -> list[Key]:
        """Nothing followed: what looked like a beginning was all of it."""
        if not self.is_unsure:
            return []
        rest, self._rest = self._rest[1:], ""
        return [Key("escape"), *self.feed(rest.encode())]

    def _next(self) -> tuple[Key | None, int]:
        """The first key and how many characters it took; 0: more must come first."""
        rest = self._rest
        if rest.startswith(PASTE_BEGINS):
            end = rest.find(PASTE_ENDS)
            if end < 0:
                return None, 0
            pasted = rest[len(PASTE_BEGINS) : end].replace("\r\n", "\n").replace("\r", "\n")
            return Key("paste", pasted), end + len(PASTE_ENDS)
        if rest[0] == ESCAPE:
            found = SEQUENCE.match(rest)
            if found is not None:
                name = SEQUENCES.get(found[1])
                return Key(name) if name else None, found.end()
            return (None, 0) if UNFINISHED.match(rest) else (Key("escape"), 1)
        text = TEXT.match(rest)
        if text is not None:
            return Key("text", text[0]), text.end()
        name = CONTROLS.get(rest[0])
        return Key(name) if name else None, 1
