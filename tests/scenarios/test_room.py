"""A full disk is the fault of neither the subject nor the scenario: no play is judged by it."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from faultloop.scenarios import room
from faultloop.scenarios.house import open_house
from faultloop.scenarios.play import Done, Order
from faultloop.scenarios.room import NoRoom
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import Column
from faultloop.scenarios.subjects.declaration import Declaration
from faultloop.scenarios.subjects.process import ProcessSubject

SCENARIO = Scenario.model_validate(
    {
        "schema": 1,
        "name": "one-word",
        "claim": "A loop answers.",
        "claims": ["L1"],
        "checks": ["results_closed"],
        "world": {"files": {"notes.txt": ""}},
        "input": "Say a word.",
        "script": [{"say": "Word."}],
        "accept": [{}],
        "max_requests": 3,
    }
)


@contextlib.contextmanager
def files_of(bytes_max: int) -> Iterator[None]:
    """Neither the bench nor its children can write more into a file: as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_max, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def left(monkeypatch: pytest.MonkeyPatch, free: list[int]) -> None:
    """What the disk has left, look after look; the last number stays."""
    real = os.statvfs

    def told(folder: Path) -> os.statvfs_result:
        size = free.pop(0) if len(free) > 1 else free[0]
        found = list(real(folder))
        found[0], found[1], found[4] = 1, 1, size  # f_bsize, f_frsize, f_bavail
        return os.statvfs_result(found)

    monkeypatch.setattr(room.os, "statvfs", told)


def test_a_folder_with_room_is_left_as_it_was(tmp_path: Path) -> None:
    room.look(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_disk_that_is_nearly_full_is_told_with_what_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left(monkeypatch, [9_000])
    with pytest.raises(NoRoom, match=rf"cannot be made in {tmp_path}: 9 kB are left, .*TMPDIR"):
        room.look(tmp_path)


def test_a_limit_that_no_figure_shows_is_found_by_writing(tmp_path: Path) -> None:
    with files_of(100), pytest.raises(NoRoom, match="a file would become larger than is allowed"):
        room.look(tmp_path)
    assert not list(tmp_path.iterdir())


def test_without_any_temporary_folder_the_sentence_names_tmpdir(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(**_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(room.tempfile, "TemporaryDirectory", full)
    with (
        pytest.raises(NoRoom, match=r"no temporary folder can be made .*the disk is full.*TMPDIR"),
        room.temporary_folder(),
    ):
        pass


@pytest.mark.parametrize(("number", "is_told"), [(errno.ENOSPC, True), (errno.ENOENT, False)])
def test_only_what_says_that_a_disk_is_full_is_told_so(
    tmp_path: Path, number: int, is_told: bool
) -> None:
    with pytest.raises(NoRoom if is_told else FileNotFoundError), room.told(tmp_path):
        raise OSError(number, os.strerror(number))


def silent(folder: Path) -> ProcessSubject:
    """A loop whose result line does not fit on the disk: it asks nothing and says nothing."""
    declaration = Declaration.model_validate(
        {"name": "silent", "version": "1", "command": ["{python}", "-c", "pass"]}
    )
    return ProcessSubject(declaration, folder)


def played(subject: ProcessSubject, number: int) -> Iterator[Done]:
    orders = [
        Order(scenario=SCENARIO, subject=subject, column=Column(), seed=1, repeat=repeat)
        for repeat in range(number)
    ]
    with open_house(subject, parallel=1) as house:
        yield from house.play(orders)


def test_a_disk_that_fills_ends_the_run_and_what_was_played_before_is_handed_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plenty = 2**40
    left(monkeypatch, [plenty, plenty, plenty, 0])  # the folder, two starts, and the third
    plays = played(silent(tmp_path), 4)
    assert [next(plays).order.repeat, next(plays).order.repeat] == [0, 1]
    with pytest.raises(NoRoom, match="nothing is concluded from the plays"):
        next(plays)


def test_a_folder_that_a_play_cannot_be_given_ends_the_run_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    plays = played(silent(tmp_path), 2)
    next(plays)
    monkeypatch.setattr("faultloop.scenarios.subjects.process.Streams.__init__", full)
    with pytest.raises(NoRoom, match="the disk is full"):
        next(plays)
