"""An end for want of processor time is no evidence: such a play is made again, alone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.scenarios.test_house import orders
from tests.scenarios.toy import Toy, forever, scenario

from faultloop.bench.running import judged
from faultloop.fakes.history import Account, Ended, Requested, Started
from faultloop.scenarios import crowded, play
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.house import open_house
from faultloop.scenarios.play import Done, Order
from faultloop.scenarios.subject import Brief, Capabilities, Column, Outcome, Venue
from faultloop.scenarios.subjects import process_session


class Slow:
    """A subject of which so many starts get no processor; it notes how many were there at once."""

    name = "slow"
    version = "1"
    about = ""
    capabilities = Capabilities()

    def __init__(self, late: int) -> None:
        self.late = late
        self.present = 0
        self.beside: list[int] = []

    @asynccontextmanager
    async def open(self, venue: Venue) -> AsyncIterator["Slow"]:
        yield self

    async def start(self, brief: Brief) -> "SlowRun":
        self.present += 1
        self.beside.append(self.present)
        return SlowRun(self, is_late=len(self.beside) <= self.late)

    async def close(self) -> None: ...

    def journal(self) -> None: ...

    def stderr(self) -> str:
        return ""


class SlowRun:
    """One of its starts; a late one ends only by force."""

    def __init__(self, subject: Slow, *, is_late: bool) -> None:
        self._subject = subject
        self._over = asyncio.Event()
        if not is_late:
            self._over.set()

    async def wait(self) -> Outcome:
        await self._over.wait()
        self._subject.present -= 1
        return Outcome(how="exited", exit_code=0, account=Account(end_reason="completed"))

    async def kill(self) -> None:
        self._over.set()

    async def clear(self) -> int:
        return 0


def all_played(subject: Any, number: int, *, parallel: int) -> list[Done]:
    with open_house(subject, parallel=parallel) as house:
        return list(house.play(orders(subject, number, deadline_s=0.05)))


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "LAST_S", 0.0)


def test_late_plays_that_had_company_are_made_again_alone_and_count_once() -> None:
    subject = Slow(late=2)
    plays = all_played(subject, 2, parallel=2)
    assert subject.beside == [1, 2, 1, 1]
    assert [done.outcomes[0].how for done in plays] == ["exited", "exited"]
    assert len({done.order.play for done in plays}) == 2
    for done in plays:
        assert judged(done).reason.endswith(f"; {crowded.WHY}")


def test_the_second_play_counts_whatever_it_shows() -> None:
    plays = all_played(Slow(late=4), 2, parallel=2)
    assert [done.outcomes[0].how for done in plays] == ["did_not_end", "did_not_end"]


def test_a_late_play_that_was_alone_counts_at_once() -> None:
    subject = Slow(late=1)
    (done,) = all_played(subject, 1, parallel=2)
    assert (done.outcomes[0].how, done.again, subject.beside) == ("did_not_end", "", [1])


# --- how long a start was ready and waited -------------------------------------------------


@pytest.mark.parametrize(
    ("threads", "waited_s"),
    [
        ({7: ("1500000000", "4000000000"), 8: ("2000000000",)}, 6.0),
        ({7: ("0",)}, 0.0),
        ({7: ("9000000000",), 8: ()}, None),
        ({}, None),
    ],
    ids=["the longest of each process", "never", "one does not say", "nobody is left"],
)
def test_the_processes_of_a_start_wait_for_a_processor_in_sum(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    threads: dict[int, tuple[str, ...]],
    waited_s: float | None,
) -> None:
    for pid, waits in threads.items():
        for number, wait_ns in enumerate(waits):
            folder = tmp_path / str(pid) / "task" / str(number)
            folder.mkdir(parents=True)
            (folder / "schedstat").write_text(f"12345678 {wait_ns} 9\n")
    monkeypatch.setattr(process_session, "_PROC", tmp_path)
    monkeypatch.setattr(process_session, "members", lambda session: list(threads))
    assert process_session.queued_s(7) == waited_s


# --- which plays may have lacked time -------------------------------------------------------

ENDED = Outcome(how="exited", exit_code=0, account=Account(end_reason="completed"))
OVERDUE = Outcome(how="did_not_end", exit_code=-9, account=Account())
DEAF = Outcome(how="did_not_end", exit_code=-9, account=Account(), grace_exceeded=True)


def over(outcome: Outcome, *, asked: bool = True, idle_s: float = 1.0, **more: Any) -> Done:
    subject = Toy(forever)
    begun = Started(position=0, start=1, turn=0, input="Hi", resume=False)
    request = Requested(
        position=1, start=1, request=1, dialect="openai_chat", streaming=True, tools=(), messages=()
    )
    ended = Ended(position=2, start=1, how=outcome.how)
    history = (begun, request, ended) if asked else (begun, ended)
    return Done(
        order=Order(scenario=scenario(), subject=subject, column=Column(), seed=1),
        evidence=Evidence(
            scenario=scenario(),
            subject="toy",
            capabilities=subject.capabilities,
            column=Column(),
            history=history,
            times_s=(0.0, 5.0, 5.0 + idle_s)[-len(history) :],
            ledger=(),
        ),
        outcomes=(outcome,),
        **more,
    )


@pytest.mark.parametrize(
    ("done", "may"),
    [
        (over(ENDED), False),
        (over(OVERDUE), True),
        (over(replace(OVERDUE, queued_s=crowded.QUEUED_S)), True),
        (over(replace(OVERDUE, queued_s=crowded.QUEUED_S - 1)), False),
        (over(replace(DEAF, queued_s=crowded.QUEUED_S)), True),
        (over(replace(DEAF, queued_s=0.5)), False),
        (over(OVERDUE, idle_s=crowded.STILL_S), False),
        (over(OVERDUE, asked=False, idle_s=crowded.STILL_S), True),
        (over(DEAF, idle_s=crowded.STILL_S), True),
        (over(OVERDUE, crash="the bench failed"), False),
    ],
    ids=[
        "ended",
        "late in work",
        "late and queued for long",
        "late and hardly queued",
        "deaf to a cancel and queued for long",
        "deaf to a cancel and hardly queued",
        "waited",
        "never began",
        "deaf to a cancel",
        "crashed",
    ],
)
def test_only_who_may_have_lacked_time_is_played_again(done: Done, may: bool) -> None:
    assert crowded.may_lack_time(done) is may
