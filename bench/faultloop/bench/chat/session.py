"""Where a chat is kept: one journal, one session, one process at a time.

A session's name enters its ids and idempotency keys, so it must be its own and the same after a
restart; the journal tells it, by the ids of what was said (see `host.INPUT`).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from faultloop.bench.chat.host import INPUT
from faultloop.bench.chat.options import BadChat, ChatOptions
from faultloop.loop.events import AnyEvent, InputQueued
from faultloop.loop.evolving import IllegalEvent, replay
from faultloop.loop.journal.jsonl import JsonlJournal
from faultloop.loop.journal.port import JournalTrouble
from faultloop.loop.journal.sqlite import SqliteJournal

FOLDER = Path(".faultloop")
PATTERN = "chat-*.sqlite"
JSONL = ".jsonl"
"""A journal whose name ends so is lines that a person can read; every other is SQLite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """An open journal and what it holds."""

    path: Path
    journal: SqliteJournal | JsonlJournal
    past: list[AnyEvent]
    session: str


def keep(options: ChatOptions) -> Kept:
    """Open the journal that was asked for, or a new one. Raises BadChat."""
    path = _path(options)
    if options.resume and not path.exists():
        raise BadChat(f"--resume: there is no journal {path}")
    try:
        journal = JsonlJournal(path) if path.suffix == JSONL else SqliteJournal(path)
    except JournalTrouble as error:
        raise BadChat(str(error)) from error
    try:
        past = journal.load()
        replay(past)
    except (JournalTrouble, IllegalEvent) as error:
        journal.close()
        raise BadChat(f"the journal {path} cannot be gone on with: {error}") from error
    if past and not options.resume:
        journal.close()
        raise BadChat(
            f"{path} holds a conversation already: add --resume to go on with it, or name another"
        )
    return Kept(path=path, journal=journal, past=past, session=_session(past))


def _path(options: ChatOptions) -> Path:
    if options.journal is not None:
        return options.journal
    if options.resume:
        there = sorted(FOLDER.glob(PATTERN))
        if not there:
            raise BadChat(f"--resume: there is no journal in {FOLDER}; name one with --journal")
        return there[-1]
    try:
        FOLDER.mkdir(exist_ok=True)
        ignored = FOLDER / ".gitignore"
        if not ignored.exists():
            ignored.write_text("*\n")
    except OSError as error:
        raise BadChat(
            f"no journal can be kept in {FOLDER} ({error.strerror}); name another with --journal"
        ) from error
    return FOLDER / time.strftime("chat-%Y%m%d-%H%M%S.sqlite")


def _session(past: Sequence[AnyEvent]) -> str:
    for event in past:
        if isinstance(event, InputQueued) and INPUT in event.id:
            return event.id.partition(INPUT)[0]
    return f"chat-{secrets.token_hex(6)}"
