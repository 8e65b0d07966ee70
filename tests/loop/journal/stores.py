"""The stores under test, and how each is damaged by hand."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faultloop.loop.events import AnyEvent, InputClaimed, InputQueued, TurnEnded, TurnStarted
from faultloop.loop.journal.jsonl import JsonlJournal
from faultloop.loop.journal.memory import MemoryJournal
from faultloop.loop.journal.port import Journal
from faultloop.loop.journal.sqlite import SqliteJournal

EVENTS: list[AnyEvent] = [
    InputQueued(id="i1", lane="next_turn", source="user", text='Grüße, 世界\n{"crc":"0"}'),
    TurnStarted(turn=1),
    InputClaimed(turn=1, id="i1"),
    TurnEnded(turn=1, end_reason="completed"),
]
"""A short history, with what is hard to keep: text beyond ASCII, a line break, quotation marks."""


def said(number: int, text: str = "x") -> InputQueued:
    """One event of any size."""
    return InputQueued(id=f"i{number}", lane="next_turn", source="user", text=text)


@dataclass
class Store:
    """A store under test: `open` it as often as a session restarts, and damage it between."""

    make: Callable[[], Journal]
    change: Callable[[int], None]
    """Flip something in this record."""
    drop: Callable[[int], None]
    """Remove this record."""
    opened: list[Journal] = field(default_factory=list)

    def open(self) -> Journal:
        """Another handle; all are closed at the end of the test."""
        self.opened.append(self.make())
        return self.opened[-1]

    def fill(self) -> None:
        """Four appends of one event each, by a process that then ended."""
        journal = self.open()
        for event in EVENTS:
            journal.append(event)
        journal.close()


def memory(folder: Path) -> Store:
    """Records in a list."""
    store: list[bytes] = []

    def change(position: int) -> None:
        store[position] = store[position][:-3] + b"???"

    return Store(make=lambda: MemoryJournal(store), change=change, drop=lambda n: store.pop(n))


def sqlite(folder: Path) -> Store:
    """Records in rows."""
    file = folder / "journal.sqlite"

    def execute(sql: str, position: int) -> None:
        with closing(sqlite3.connect(file)) as db:
            db.execute(sql, (position,))
            db.commit()

    return Store(
        make=lambda: SqliteJournal(file),
        change=lambda n: execute(
            "UPDATE journal SET event = CAST(event || x'20' AS BLOB) WHERE position = ?", n
        ),
        drop=lambda n: execute("DELETE FROM journal WHERE position = ?", n),
    )


def jsonl(folder: Path) -> Store:
    """Records in lines."""
    file = folder / "journal.jsonl"

    def rewrite(edit: Callable[[list[bytes]], Any]) -> None:
        lines = file.read_bytes().splitlines(keepends=True)
        edit(lines)
        file.write_bytes(b"".join(lines))

    def change(position: int) -> None:
        def edit(lines: list[bytes]) -> None:
            lines[position] = lines[position].replace(b'"type":', b'"tYpe":')

        rewrite(edit)

    return Store(
        make=lambda: JsonlJournal(file),
        change=change,
        drop=lambda n: rewrite(lambda lines: lines.pop(n)),
    )


ALL = (memory, sqlite, jsonl)
IN_FILES = (sqlite, jsonl)


@contextmanager
def made(kind: Callable[[Path], Store], folder: Path) -> Iterator[Store]:
    """A store whose handles are all closed at the end."""
    store = kind(folder)
    yield store
    for journal in store.opened:
        journal.close()
