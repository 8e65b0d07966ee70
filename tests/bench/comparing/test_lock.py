"""wordings.lock: a contract that models read differently than when it was measured is noticed."""

from __future__ import annotations

import fcntl
import os
from datetime import date
from pathlib import Path

import pytest

from faultloop.bench.comparing import lock as locks
from faultloop.bench.comparing.lock import BadLock, Change, Lock, Run, changes, fingerprints
from faultloop.loop.contract import Contract
from faultloop.scenarios.wordings.wording import Wording

RUN = Run(
    day=date(2026, 11, 30),
    model="embedded:lexical",
    tasks="tasks.yaml",
    tasks_fingerprint="00ff",
    asked=160,
    selection=0.8125,
)


def wording(**purposes: str) -> Wording:
    """Tools with these purposes."""
    contracts = {
        tool: Contract(name=tool, purpose=purpose, parameters={"type": "object", "properties": {}})
        for tool, purpose in purposes.items()
    }
    return Wording(name="full", contracts=contracts)


def test_a_lock_reads_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / locks.NAME
    lock = Lock().with_run("tools/full.yaml", wording(read="Reads.", write="Writes."), RUN)

    locks.write(path, lock)

    assert locks.read(path) == lock
    assert path.read_text().startswith("# What was measured")
    assert [file.name for file in tmp_path.iterdir()] == [locks.NAME]


def test_nobody_else_writes_between_reading_and_writing(tmp_path: Path) -> None:
    path = tmp_path / locks.NAME
    other = Lock().with_run("other.yaml", wording(read="Reads."), RUN)
    locks.write(path, other)

    def add(lock: Lock) -> Lock:
        descriptor = os.open(tmp_path, os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(descriptor)
        assert lock == other, "read within"
        return lock.with_run("full.yaml", wording(read="Reads."), RUN)

    locks.update(path, add)
    assert list(locks.read(path).wordings) == ["full.yaml", "other.yaml"]
    assert [file.name for file in tmp_path.iterdir()] == [locks.NAME]


def test_without_a_file_nothing_was_measured(tmp_path: Path) -> None:
    assert locks.read(tmp_path / locks.NAME) == Lock()


def test_whatever_a_model_reads_changes_the_fingerprint_and_nothing_else_does() -> None:
    then = fingerprints(wording(read="Reads.", write="Writes."))
    contract = wording(read="Reads.").contracts["read"]
    careless = Contract(
        name="read", purpose="Reads.", parameters=contract.parameters, read_only=True, risk="low"
    )

    assert changes(fingerprints(wording(write="Writes.", read="Reads.")), then) == ()
    assert fingerprints(Wording(name="other", contracts={"read": careless})) == {
        "read": then["read"]
    }
    assert changes(fingerprints(wording(read="Reads a file.", move="Moves.")), then) == (
        Change("move", "added"),
        Change("read", "changed"),
        Change("write", "removed"),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("schema: 1\nwordings: [", "is no YAML"),
        ("<<<<<<< HEAD\nschema: 1\n", "is no YAML"),
        ("day: 2026-13-45", "is no YAML"),
        ("[" * 3_000, "is no YAML"),
        ("schema: 2\n", "schema: Input should be 1"),
        ("schema: 1\nwordings: {a.yaml: {contracts: {}}}\n", "wordings.a.yaml.run: Field required"),
    ],
)
def test_a_lock_that_was_damaged_is_a_sentence_with_its_place(
    tmp_path: Path, text: str, told: str
) -> None:
    path = tmp_path / locks.NAME
    path.write_text(text)

    with pytest.raises(BadLock, match=told) as found:
        locks.read(path)
    assert str(path) in str(found.value)


def test_a_lock_without_a_folder_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    assert locks.read(tmp_path / locks.NAME) == Lock()
    with pytest.raises(BadLock, match="has no folder to stand in"):
        locks.read(tmp_path / "nowhere" / locks.NAME)


def test_a_lock_in_a_place_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadLock, match="cannot be written"):
        locks.write(tmp_path / "missing" / locks.NAME, Lock())
    with pytest.raises(BadLock, match="cannot be opened"):
        locks.update(tmp_path / "missing" / locks.NAME, lambda lock: lock)
