"""Putting files of a report on disk: a file is either the old one or the new one, never half.

Whatever the operating system refuses becomes `ReportUnwritable`, a sentence that says what was
kept and what to do. The bench is not at fault there, and neither is the subject.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


class ReportUnwritable(Exception):
    """The report directory cannot be written; its owner can mend that."""

    def __init__(self, path: Path, sentence: str) -> None:
        super().__init__(sentence)
        self.path = path
        self.sentence = sentence


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A stream whose content replaces `path` at the end, in one step and only if all went well.

    Raises OSError as it comes: the caller knows what else was kept.
    """
    draft = path.with_name(f".{path.name}.draft")
    try:
        with draft.open("wb") as stream:
            yield stream
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def replace(path: Path, content: bytes | str) -> None:
    """Write a whole file, see `replacing`."""
    with replacing(path) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)
