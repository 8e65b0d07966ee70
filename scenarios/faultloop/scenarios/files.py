"""Files that people write: their text, and the one sentence about the first thing wrong with them.

Whoever reads a kind of file has an error of its own, a `BadFile`, whose text is complete:
`path:line: field: what is wrong and what to write`. The file's author is at fault, never the bench.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from faultloop.scenarios.places import Document, Misplaced, Place, parse
from faultloop.scenarios.sentences import Complaint


class BadFile(Exception):
    """A file is wrong. The text is for its author and complete."""

    def __init__(self, path: Path, line: int, field: str, sentence: str) -> None:
        place = f"{field}: " if field else ""
        super().__init__(f"{path}:{line}: {place}{sentence}")
        self.path = path
        self.line = line
        self.field = field
        self.sentence = sentence


Bad = Callable[[Path, int, str, str], BadFile]
"""The error of a kind of file."""


def text_of(path: Path, bad: Bad, *, noun: str, bytes_max: int) -> str:
    """A file's text. Raises `bad`."""
    try:
        if not path.is_file() and path.exists():
            kind = "a folder" if path.is_dir() else "a pipe or a device"
            raise bad(path, 1, "", f"it is {kind}; name a file")
        if (size := path.stat().st_size) > bytes_max:
            raise bad(path, 1, "", f"it has {size:,} bytes; a {noun} has at most {bytes_max:,}")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise bad(path, line, "", "this is not UTF-8 text; save it as UTF-8") from None
    except OSError as error:
        raise bad(path, 1, "", f"it cannot be read: {error.strerror}") from None


def document_of(text: str, path: Path, bad: Bad) -> Document:
    """A YAML document with its places. Raises `bad`."""
    try:
        return parse(text)
    except Misplaced as error:
        raise bad(path, error.line, field_name(error.place), error.sentence) from None


def topmost(document: Document, found: list[Complaint]) -> Complaint:
    """The first thing, from the top, of those that are wrong."""

    # A list of which no item is good is called empty as well, and where a field is misspelt the
    # right one is missing: the item and the misspelling are what to name.
    def from_the_top(one: Complaint) -> tuple[bool, bool, int]:
        depth = len(one.place)
        holds = any(len(o.place) > depth and o.place[:depth] == one.place for o in found)
        return holds, one.place not in document.lines, document.line(one.place)

    return min(found, key=from_the_top)


def field_name(place: Place) -> str:
    """`faults[0].kind`."""
    field = ""
    for part in place:
        field += f"[{part}]" if isinstance(part, int) else f".{part}" if field else part
    return field
