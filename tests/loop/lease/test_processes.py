"""Two real processes and one session: one wins, a frozen one loses it, a killed one is replaced.

Nothing sleeps here: time passes where a process is started with a clock of its own.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from faultloop.loop.events import AnyEvent, TurnEnded
from faultloop.loop.journal.jsonl import JsonlJournal
from faultloop.loop.journal.sqlite import SqliteJournal
from faultloop.loop.lease.claims import ClaimFiles
from faultloop.loop.lease.file import FileLease
from faultloop.loop.lease.port import Holder, LeaseHeld

PLAYER = Path(__file__).with_name("player.py")
KINDS: dict[str, Callable[[Path], JsonlJournal | SqliteJournal]] = {
    "jsonl": JsonlJournal,
    "sqlite": SqliteJournal,
}


class Player:
    """A process that plays; see `player.py`."""

    def __init__(self, *arguments: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, PLAYER, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self.process.pid
        assert self.heard()["said"] == "ready"

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def heard(self) -> dict[str, Any]:
        """The next thing that it says."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"said": "nothing", "code": self.process.wait()}

    def prompted(self) -> dict[str, Any]:
        self.tell("prompt")
        return self.heard()

    def signal(self, number: int) -> None:
        """Send it, and wait until the system has it so."""
        self.process.send_signal(number)
        if number == signal.SIGSTOP:
            os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOWAIT)

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


class House:
    """One session and the processes that want it."""

    def __init__(self, kind: str, path: Path) -> None:
        self.kind, self.path = kind, path
        self.players: list[Player] = []

    def player(self, *, ttl_s: float = 30.0, clock: float | None = None) -> Player:
        arguments = (self.kind, self.path, ttl_s, *([] if clock is None else [clock]))
        self.players.append(Player(*arguments))
        return self.players[-1]

    def holder(self) -> Holder:
        claims = ClaimFiles(self.path)
        holder = claims.read(claims.greatest())
        assert holder is not None
        return holder

    def events(self) -> list[AnyEvent]:
        with closing(KINDS[self.kind](self.path)) as journal:
            return journal.load()

    @property
    def effects(self) -> int:
        path = Path(f"{self.path}.effects")
        return len(path.read_text().splitlines()) if path.exists() else 0


@pytest.fixture(params=KINDS)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    house = House(request.param, tmp_path / "journal")
    yield house
    for player in house.players:
        player.close()


def test_of_two_processes_one_wins_and_the_loser_says_who_has_it(house: House) -> None:
    players = [house.player(), house.player()]
    for player in players:
        player.tell("prompt")
    heard = [player.heard() for player in players]
    assert sorted(one["said"] for one in heard) == ["held", "waiting"]
    winner, loser = sorted(players, key=lambda player: heard[players.index(player)]["said"])[::-1]
    said = heard[players.index(loser)]
    assert said["pid"] == winner.pid
    assert f"is held by process {winner.pid} on " in said["message"]
    winner.tell("go")
    assert winner.heard()["end_reason"] == "completed"
    assert house.effects == 1
    ends = [event.end_reason for event in house.events() if isinstance(event, TurnEnded)]
    assert ends == ["completed"]


@pytest.mark.parametrize("wakes_to", ["its heartbeat", "the end of its tool"])
def test_a_frozen_holder_loses_it_and_writes_nothing_when_it_wakes(
    house: House, wakes_to: str
) -> None:
    frozen = house.player(ttl_s=0.3)
    assert frozen.prompted()["said"] == "waiting"
    frozen.signal(signal.SIGSTOP)
    expires = house.holder().expires

    early = house.player(clock=expires - 0.001).prompted()
    assert (early["said"], early["pid"]) == ("held", frozen.pid)

    successor = house.player(clock=expires)
    end = successor.prompted()
    assert (end["end_reason"], end["recovered"]) == ("completed", ["interrupted"])
    before = house.events()
    assert house.effects == 1  # the successor's

    if wakes_to == "the end of its tool":
        frozen.tell("go")
    frozen.signal(signal.SIGCONT)
    woken = frozen.heard()
    assert woken["end_reason"] == "error"
    assert woken["error"].startswith("lease lost: ")
    assert frozen.heard() == {"said": "nothing", "code": 0}
    assert house.events() == before
    assert house.effects == 1


def test_a_killed_holder_is_replaced_at_once(house: House) -> None:
    killed = house.player(ttl_s=3600)
    assert killed.prompted()["said"] == "waiting"
    killed.signal(signal.SIGKILL)
    os.waitid(os.P_PID, killed.pid, os.WEXITED | os.WNOWAIT)  # ended, and not yet collected
    end = house.player().prompted()
    assert (end["end_reason"], end["recovered"]) == ("completed", ["interrupted"])


# --- many at once -----------------------------------------------------------------------------

RIVALS, ROUNDS = 6, 10


def contend(kind: str, path: Path, start: int, answer: int, leave: int) -> None:
    """In a process of its own: try once when told to, say how it went, and stay until told."""
    with closing(KINDS[kind](path)) as journal:
        lease = FileLease(journal)
        os.write(answer, b"r")
        os.read(start, 1)
        try:
            lease.acquire()
            os.write(answer, b"W")
        except LeaseHeld:
            os.write(answer, b"l")
        except BaseException:
            os.write(answer, b"!")
            raise
        os.read(leave, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_of_many_that_try_at_once_exactly_one_gets_it(kind: str, tmp_path: Path) -> None:
    for number in range(ROUNDS):
        start, answer, leave = os.pipe(), os.pipe(), os.pipe()
        children = []
        KINDS[kind](tmp_path / f"{number}").close()
        for _ in range(RIVALS):
            child = os.fork()
            if child == 0:
                try:
                    contend(kind, tmp_path / f"{number}", start[0], answer[1], leave[0])
                finally:
                    os._exit(0)
            children.append(child)
        try:
            assert told(answer[0]) == b"r" * RIVALS
            os.write(start[1], b"s" * RIVALS)
            assert sorted(told(answer[0])) == sorted(b"W" + b"l" * (RIVALS - 1))
        finally:
            os.write(leave[1], b"x" * RIVALS)
            for child in children:
                os.waitpid(child, 0)
            for end in (*start, *answer, *leave):
                os.close(end)


def told(pipe: int) -> bytes:
    """One byte of each."""
    said = b""
    while len(said) < RIVALS:
        said += os.read(pipe, RIVALS)
    return said
