"""The high-water mark: it may lag behind or be gone, but it never lies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from faultloop.loop.journal.mark import CHECK, PLACES, SUFFIX, WHAT, Mark, MarkFile
from faultloop.loop.journal.port import JournalDamaged

from .stores import EVENTS, IN_FILES, Store, made

MARK_BYTES = WHAT.size + CHECK.size


@pytest.fixture
def file(tmp_path: Path) -> Iterator[MarkFile]:
    file = MarkFile(tmp_path / "journal")
    yield file
    file.close()


def test_there_is_none_at_first(file: MarkFile) -> None:
    assert file.read() is None


def test_the_last_one_counts_also_for_who_comes_later(file: MarkFile, tmp_path: Path) -> None:
    for records in (1, 2, 5, 6, 8, 11):
        file.write(Mark(records, records * 7))
        assert file.read() == Mark(records, records * 7)
        later = MarkFile(tmp_path / "journal")
        assert later.read() == Mark(records, records * 7)
        later.close()


@pytest.mark.parametrize("many", [1, 2, 3, 4])
def test_one_that_is_torn_at_any_byte_leaves_the_one_before(
    file: MarkFile, tmp_path: Path, many: int
) -> None:
    for records in range(1, many + 1):
        file.write(Mark(records, records * 7))
    path = Path(f"{tmp_path / 'journal'}{SUFFIX}")
    before = path.read_bytes()
    file.write(Mark(many + 1, (many + 1) * 7))
    after = path.read_bytes().ljust(1024, b"\0")
    before = before.ljust(1024, b"\0")
    for torn in [place + byte for place in PLACES for byte in range(MARK_BYTES + 1)]:
        path.write_bytes(after[:torn] + before[torn:])
        assert file.read() in (Mark(many, many * 7), Mark(many + 1, (many + 1) * 7))


@pytest.mark.parametrize("content", [b"", b"rubbish that is no mark", b"\0" * 600, b"\xff" * 600])
def test_rubbish_is_no_mark(file: MarkFile, content: bytes) -> None:
    file.path.write_bytes(content)
    assert file.read() is None


@pytest.fixture(params=IN_FILES, ids=lambda kind: kind.__name__)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with made(request.param, tmp_path) as store:
        yield store


def test_a_mark_that_lags_behind_or_is_gone_raises_no_alarm(store: Store) -> None:
    journal: Any = store.open()
    journal.append(*EVENTS[:2])
    mark = Path(f"{journal.path}{SUFFIX}")
    early = mark.read_bytes()
    for event in EVENTS[2:]:
        journal.append(event)
    journal.close()
    for content in (early, b"", b"rubbish that is no mark"):
        mark.write_bytes(content)
        assert store.open().load() == EVENTS
    mark.unlink()
    assert store.open().load() == EVENTS


def test_an_end_that_was_replaced_by_another_is_noticed(store: Store) -> None:
    store.fill()
    journal: Any = store.open()
    for path in journal.path.parent.glob("journal.*"):
        if SUFFIX not in path.name:
            path.unlink()
    other: Any = store.make()
    other._mark.write = lambda mark: None
    mark = Path(f"{other.path}{SUFFIX}")
    kept = mark.read_bytes()
    mark.write_bytes(b"")
    for event in EVENTS[::-1]:
        other.append(event)
    other.close()
    mark.write_bytes(kept)
    with pytest.raises(JournalDamaged, match="not the one that was acknowledged") as raised:
        store.open().load()
    assert raised.value.record == 3


def test_a_journal_that_was_removed_without_its_mark_says_what_to_do(store: Store) -> None:
    store.fill()
    journal: Any = store.open()
    journal.close()
    for path in journal.path.parent.glob("journal.*"):
        if SUFFIX not in path.name:
            path.unlink()
    with pytest.raises(JournalDamaged, match=r"on purpose, remove journal\.\w+\.mark too"):
        store.open().load()
