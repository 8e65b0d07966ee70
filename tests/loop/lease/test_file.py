"""A lease in files: who gets it, who loses it, and what the loser is told. The clock is a toy."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from faultloop.loop.events import TurnStarted
from faultloop.loop.journal.jsonl import JsonlJournal
from faultloop.loop.journal.port import JournalUnusable, LeaseLost
from faultloop.loop.journal.sqlite import SqliteJournal
from faultloop.loop.lease import file, whereabouts
from faultloop.loop.lease.claims import ClaimFiles
from faultloop.loop.lease.file import FileLease
from faultloop.loop.lease.port import Holder, LeaseHeld

DurableJournal = JsonlJournal | SqliteJournal


class Clock:
    """A wall clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=[JsonlJournal, SqliteJournal])
def lease(
    request: pytest.FixtureRequest, tmp_path: Path, clock: Clock
) -> Iterator[Callable[[], FileLease]]:
    """Another lease of the same session each time, as of another process."""
    opened: list[DurableJournal] = []

    def another() -> FileLease:
        opened.append(request.param(tmp_path / "journal"))
        return FileLease(opened[-1], ttl_s=30.0, clock=clock)

    yield another
    for journal in opened:
        journal.close()


Another = Callable[[], FileLease]


def append(lease: FileLease, turn: int = 1) -> None:
    journal = lease.journal
    assert isinstance(journal, JsonlJournal | SqliteJournal)
    journal.append(TurnStarted(turn=turn))


def test_the_first_gets_it_and_the_second_is_told_who_holds_it(
    lease: Another, clock: Clock
) -> None:
    first, second = lease(), lease()
    first.acquire()
    clock.now += 9
    with pytest.raises(LeaseHeld) as raised:
        second.acquire()
    said, holder = str(raised.value), raised.value.holder
    assert holder is not None
    assert (holder.pid, holder.host) == (os.getpid(), socket.gethostname())
    assert (holder.since, holder.expires) == (1_000_000.0, 1_000_030.0)
    assert f"held by process {os.getpid()} on {socket.gethostname()}" in said
    assert "since 1970-01-12T13:46:40+00:00" in said
    assert "expires in 21 s" in said


def test_a_lease_that_is_renewed_is_never_lost(lease: Another, clock: Clock) -> None:
    first, second = lease(), lease()
    first.acquire()
    for _ in range(20):
        clock.now += first.heartbeat_s
        first.renew()
        with pytest.raises(LeaseHeld):
            second.acquire()
    append(first)


def test_a_lease_that_expired_goes_to_the_next_and_the_first_writes_nothing_more(
    lease: Another, clock: Clock
) -> None:
    first, second = lease(), lease()
    first.acquire()
    append(first)
    clock.now += 30
    second.acquire()
    with pytest.raises(LeaseLost, match="its fence is at 2, and this one came with 1"):
        append(first, 2)
    with pytest.raises(LeaseLost, match=rf"it was taken over by process {os.getpid()} on"):
        first.renew()
    with pytest.raises(LeaseLost, match="it was taken over"):
        first.check()
    append(second, 2)
    assert second.holder is not None
    assert second.holder.token == 2


def test_one_that_expired_and_was_taken_by_nobody_can_still_be_renewed(
    lease: Another, clock: Clock
) -> None:
    first, second = lease(), lease()
    first.acquire()
    clock.now += 300
    first.check()
    append(first)
    with pytest.raises(LeaseHeld):
        second.acquire()


def test_a_look_before_the_expiry_costs_no_file(
    lease: Another, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = lease()
    first.acquire()
    monkeypatch.setattr(ClaimFiles, "read", None)
    first.check()
    clock.now += 29.9
    first.check()


def test_a_released_lease_is_free_at_once_and_its_token_is_not_used_again(lease: Another) -> None:
    tokens = []
    for _ in range(3):
        holder = lease()
        holder.acquire()
        assert holder.holder is not None
        tokens.append(holder.holder.token)
        holder.release()
        holder.release()
        assert holder.holder is None
        with pytest.raises(LeaseLost, match="was released here"):
            holder.check()
    assert tokens == [1, 2, 3]


def test_who_lost_its_lease_does_not_release_that_of_the_next(lease: Another, clock: Clock) -> None:
    first, second = lease(), lease()
    first.acquire()
    clock.now += 60
    second.acquire()
    first.release()
    second.renew()
    with pytest.raises(LeaseHeld):
        lease().acquire()


def test_a_lease_can_be_taken_again_by_who_lost_it(lease: Another, clock: Clock) -> None:
    first, second = lease(), lease()
    first.acquire()
    clock.now += 30
    second.acquire()
    with pytest.raises(LeaseHeld):
        first.acquire()
    second.release()
    first.acquire()
    append(first)
    with pytest.raises(LeaseLost):
        append(second)


def test_the_token_grows_even_if_all_files_of_the_lease_are_gone(
    lease: Another, tmp_path: Path
) -> None:
    first, second = lease(), lease()
    first.acquire()
    for path in tmp_path.glob("journal.lease.*"):
        path.unlink()
    second.acquire()
    assert second.holder is not None
    assert second.holder.token == 2
    with pytest.raises(LeaseLost):
        append(first)


def test_a_claim_that_was_removed_by_hand_takes_the_lease_away(
    lease: Another, tmp_path: Path
) -> None:
    first = lease()
    first.acquire()
    (tmp_path / "journal.lease.1").unlink()
    with pytest.raises(LeaseLost, match="its file was removed"):
        first.renew()


def test_a_claim_that_nobody_can_read_holds_nobody_up(lease: Another, tmp_path: Path) -> None:
    first, second = lease(), lease()
    first.acquire()
    (tmp_path / "journal.lease.1").write_bytes(b"\0" * 40)
    second.acquire()
    with pytest.raises(LeaseLost):
        append(first)
    with pytest.raises(LeaseLost):
        first.renew()


def test_only_the_last_claim_is_left_lying_about(
    lease: Another, clock: Clock, tmp_path: Path
) -> None:
    for _ in range(4):
        lease().acquire()
        clock.now += 30
    assert [path.name for path in tmp_path.glob("journal.lease.*")] == ["journal.lease.4"]


class Dawdling(ClaimFiles):
    """Somebody who looks at the claims, and comes back to them much later."""

    meanwhile: list[Callable[[], object]]
    where: str

    def greatest(self) -> int:
        seen = super().greatest()
        self._dawdle("after looking")
        return seen

    def read(self, token: int) -> Holder | None:
        seen = super().read(token)
        self._dawdle("after reading")
        return seen

    def put(self, holder: Holder) -> bool:
        self._dawdle("before claiming")
        return super().put(holder)

    def _dawdle(self, where: str) -> None:
        while self.meanwhile and where == self.where:
            self.meanwhile.pop(0)()


@pytest.mark.parametrize("is_new", [True, False])
@pytest.mark.parametrize("where", ["after looking", "after reading", "before claiming"])
@pytest.mark.parametrize("changes", [1, 2, 3])
def test_who_dawdled_between_looking_and_claiming_gets_nothing(
    lease: Another, clock: Clock, changes: int, where: str, is_new: bool
) -> None:
    """The lease changed hands meanwhile, and its old files are cleared away."""
    slow, others = lease(), [lease() for _ in range(changes)]
    if not is_new:
        lease().acquire()
        clock.now += 30

    def take(other: FileLease) -> None:
        clock.now += 30
        other.acquire()

    dawdling = Dawdling(slow.journal.path)
    dawdling.where = where
    dawdling.meanwhile = [lambda other=other: take(other) for other in others]
    slow._claims = dawdling
    with pytest.raises(LeaseHeld) as raised:
        slow.acquire()
    assert raised.value.holder is not None
    assert raised.value.holder.token == changes + (not is_new)
    append(others[-1])
    others[-1].renew()


def test_a_holder_that_expires_while_it_renews_notices_afterwards(
    lease: Another, clock: Clock
) -> None:
    first, second = lease(), lease()
    first.acquire()

    class Frozen(ClaimFiles):
        def rewrite(self, holder: Holder) -> None:
            clock.now += 300
            second.acquire()
            super().rewrite(holder)

    first._claims = Frozen(first.journal.path)
    with pytest.raises(LeaseLost, match="taken over"):
        first.renew()
    assert second.holder is not None
    assert second.holder.token == 2
    second.renew()


def test_a_fence_that_cannot_be_put_up_leaves_no_claim(
    lease: Another, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = lease(), lease()

    def busy(token: int) -> None:
        raise JournalUnusable("another process is writing to it")

    monkeypatch.setattr(first.journal, "fence", busy)
    with pytest.raises(JournalUnusable):
        first.acquire()
    second.acquire()


def test_who_was_overtaken_before_its_fence_was_up_is_told_by_whom(
    lease: Another, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = lease(), lease()
    fence = first.journal.fence

    def frozen(token: int) -> None:
        clock.now += 30
        second.acquire()
        fence(token)

    monkeypatch.setattr(first.journal, "fence", frozen)
    with pytest.raises(LeaseHeld) as raised:
        first.acquire()
    assert raised.value.holder is not None
    assert raised.value.holder.token == 2
    append(second)


def test_a_folder_that_is_gone_is_the_places_fault(lease: Another, tmp_path: Path) -> None:
    first = lease()
    first.acquire()
    tmp_path.rename(tmp_path.with_name("moved"))
    with pytest.raises(JournalUnusable, match="Its folder must exist"):
        first.renew()
    with pytest.raises(JournalUnusable, match="Its folder must exist"):
        lease_of_the_same(first).acquire()
    first.release()
    assert first.holder is None
    tmp_path.with_name("moved").rename(tmp_path)


def lease_of_the_same(lease: FileLease) -> FileLease:
    return FileLease(lease.journal)


# --- processes that have ended ----------------------------------------------------------------


def ended() -> int:
    """The pid of a process that was, and was collected."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def holder(**changed: object) -> Holder:
    fields = {
        **whereabouts.this_process()._asdict(),
        **{"token": 1, "nonce": "n", "since": 0.0, "expires": 9e9},
        **changed,
    }
    return Holder(**fields)


def test_only_what_is_certain_counts_as_gone() -> None:
    assert not whereabouts.is_gone(holder())
    assert whereabouts.is_gone(holder(pid=ended()))
    assert whereabouts.is_gone(holder(began="1"))  # another has its number now
    assert not whereabouts.is_gone(holder(began=""))
    assert not whereabouts.is_gone(holder(pid=ended(), place="another boot pid:[1]"))
    assert not whereabouts.is_gone(holder(pid=ended(), place=""))


def test_a_process_that_waits_to_be_collected_is_gone() -> None:
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=-1)
    with closing(child.stdin) if child.stdin else closing(sys.stdin):
        assert not whereabouts.is_gone(holder(pid=child.pid, began=""))
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert whereabouts.is_gone(holder(pid=child.pid, began=""))
    child.wait()


def test_where_the_system_tells_nothing_nothing_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whereabouts, "PROC", Path("/no such folder"))
    assert whereabouts.this_process().place == ""
    assert not whereabouts.is_gone(holder(pid=ended()))


def test_a_holder_that_is_gone_is_not_waited_for(
    lease: Another, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = lease(), lease()
    gone = whereabouts.this_process()._replace(pid=ended())
    monkeypatch.setattr(file, "this_process", lambda: gone)
    first.acquire()
    monkeypatch.undo()
    second.acquire()
    append(second)
