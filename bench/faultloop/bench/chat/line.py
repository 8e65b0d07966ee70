"""The line that is being typed, as a value: every key gives another line.

What a key does is a table. Lines that were sent are remembered, for the arrows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from faultloop.bench.chat.keys import Key

SENT_MAX = 200


class Parts(NamedTuple):
    """The line about its cursor."""

    before: str
    at: str
    """The character under the cursor; empty at the end."""
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A text and a cursor in it."""

    text: str = ""
    cursor: int = 0
    sent: tuple[str, ...] = ()
    """Earlier lines, the newest last."""
    back: int = 0
    """How many of them ago this one is; 0: it is new."""

    @property
    def parts(self) -> Parts:
        """For whoever draws it."""
        text, at = self.text, self.cursor
        return Parts(text[:at], text[at : at + 1], text[at + 1 :])

    def put(self, text: str) -> Line:
        """With a text at the cursor."""
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        return replace(self, text=before + text + after, cursor=self.cursor + len(text))

    def pressed(self, key: Key) -> Line:
        """After this key; one that means nothing here changes nothing."""
        if key.name in ("text", "paste"):
            return self.put(key.text)
        edit = EDITS.get(key.name)
        return self if edit is None else edit(self)

    def taken(self) -> Line:
        """The empty line after this one was sent."""
        again = self.sent[-1:] == (self.text,)
        sent = self.sent if again or not self.text.strip() else (*self.sent, self.text)
        return Line(sent=sent[-SENT_MAX:])


def _to(line: Line, cursor: int) -> Line:
    return replace(line, cursor=max(0, min(len(line.text), cursor)))


def _cut(line: Line, start: int, end: int) -> Line:
    start = max(0, start)
    return replace(line, text=line.text[:start] + line.text[end:], cursor=start)


def _word_start(line: Line) -> int:
    before = line.text[: line.cursor].rstrip()
    return len(before) - len(before.split()[-1]) if before else 0


def _earlier(line: Line, by: int) -> Line:
    back = max(0, min(len(line.sent), line.back + by))
    if back == line.back:
        return line
    text = line.sent[-back] if back else ""
    return replace(line, text=text, cursor=len(text), back=back)


EDITS: Mapping[str, Callable[[Line], Line]] = MappingProxyType(
    {
        "backspace": lambda line: _cut(line, line.cursor - 1, line.cursor),
        "delete": lambda line: _cut(line, line.cursor, line.cursor + 1),
        "left": lambda line: _to(line, line.cursor - 1),
        "right": lambda line: _to(line, line.cursor + 1),
        "home": lambda line: _to(line, 0),
        "end": lambda line: _to(line, len(line.text)),
        "up": lambda line: _earlier(line, 1),
        "down": lambda line: _earlier(line, -1),
        "kill_before": lambda line: _cut(line, 0, line.cursor),
        "kill_after": lambda line: _cut(line, line.cursor, len(line.text)),
        "kill_word": lambda line: _cut(line, _word_start(line), line.cursor),
    }
)
"""What a key does to the line, by its name in `keys`."""
