"""The real house: several plays at once, one server, and nothing left when it is closed."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

import faultloop.bench.subjects
from faultloop.fakes.history import Account, CallArrived, Ended
from faultloop.scenarios.house import open_house
from faultloop.scenarios.play import Order
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import BadSubject, Brief, Capabilities, Column, Outcome, Venue
from faultloop.scenarios.subjects.declaration import Declaration
from faultloop.scenarios.subjects.process import ProcessRun, ProcessSubject

HELPER_FOLDER = Path(faultloop.bench.subjects.__file__).parent


def toy(folder: Path, body: str, **keys: Any) -> ProcessSubject:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    (folder / "driver.py").write_text(
        "import os, subprocess, sys, time\nimport faultloop_driver as bench\n"
        f"def main():\n{lines}\nbench.run(main)\n"
    )
    declaration = Declaration.model_validate(
        {
            "name": "toy",
            "version": "1",
            "command": ["{python}", "driver.py"],
            "mode": "zygote",
            "environment": {"PYTHONPATH": str(HELPER_FOLDER)},
            **keys,
        }
    )
    return ProcessSubject(declaration, folder)


def orders(subject: Any, number: int, **parts: Any) -> list[Order]:
    scenario = Scenario.model_validate(
        {
            "schema": 1,
            "name": "toy",
            "claim": "A toy is played.",
            "claims": ["L1"],
            "checks": ["results_closed"],
            "world": {"files": {"notes.txt": ""}},
            "input": "Append a line.",
            "script": [{"say": "Done."}],
            "accept": [{}],
            "max_requests": 9,
            **parts,
        }
    )
    return [
        Order(scenario=scenario, subject=subject, column=Column(), seed=1, repeat=n)
        for n in range(number)
    ]


CALL = 'bench.call_tool("append_file", {"path": "notes.txt", "line": bench.setting("SESSION")})'


def test_plays_at_once_do_not_meet(tmp_path: Path) -> None:
    subject = toy(tmp_path, f"{CALL}\nreturn bench.setting('SESSION')")
    with open_house(subject, parallel=3) as house:
        plays = list(house.play(orders(subject, 7)))
    assert len({done.order.play for done in plays}) == 7
    for done in plays:
        assert done.crash == ""
        (call,) = [one for one in done.evidence.history if isinstance(one, CallArrived)]
        (ended,) = [one for one in done.evidence.history if isinstance(one, Ended)]
        assert done.order.play in call.arguments
        assert done.order.play in str(ended.account.final_text)


class Crowd:
    """A subject whose starts end when a second one is there; it counts how many there are."""

    name = "crowd"
    version = "1"
    about = ""
    capabilities = Capabilities()

    def __init__(self) -> None:
        self.present = 0
        self.most = 0
        self.company = asyncio.Event()

    @asynccontextmanager
    async def open(self, venue: Venue) -> AsyncIterator["Crowd"]:
        yield self

    async def start(self, brief: Brief) -> "Crowd":
        self.present += 1
        self.most = max(self.most, self.present)
        if self.present == 2:
            self.company.set()
        return self

    async def wait(self) -> Outcome:
        await self.company.wait()
        self.present -= 1
        return Outcome(how="exited", exit_code=0, account=Account(end_reason="completed"))

    async def clear(self) -> int:
        return 0

    async def close(self) -> None: ...

    def journal(self) -> None: ...

    def stderr(self) -> str:
        return ""


def test_as_many_plays_are_under_way_as_were_asked_for_and_no_more() -> None:
    crowd: Any = Crowd()
    with open_house(crowd, parallel=2) as house:
        assert len(list(house.play(orders(crowd, 6)))) == 6
    assert crowd.most == 2


def test_a_house_may_be_used_again(tmp_path: Path) -> None:
    subject = toy(tmp_path, "return 'Done.'")
    with open_house(subject) as house:
        first = list(house.play(orders(subject, 1)))
        second = list(house.play(orders(subject, 1)))
    assert first[0].evidence.ledger == second[0].evidence.ledger == ()
    with open_house(subject) as house:
        assert len(list(house.play(orders(subject, 1)))) == 1


def test_a_wrong_declaration_ends_the_whole_house(tmp_path: Path) -> None:
    subject = toy(tmp_path, "pass", command=["no-such-program"])
    with (
        pytest.raises(BadSubject, match="'no-such-program' is neither on PATH"),
        open_house(subject) as house,
    ):
        list(house.play(orders(subject, 2)))


def test_a_missing_requirement_makes_plays_not_applicable(tmp_path: Path) -> None:
    needs = [{"command": "no-such-program", "hint": "get it somewhere"}]
    subject = toy(tmp_path, "pass", needs=needs)
    with open_house(subject) as house:
        (done,) = house.play(orders(subject, 1))
    assert done.not_applicable == "toy needs 'no-such-program': get it somewhere"


def living_children() -> list[psutil.Process]:
    """Processes that this one has started, zygotes and their forks included."""
    children = psutil.Process().children(recursive=True)
    return [child for child in children if child.status() != psutil.STATUS_ZOMBIE]


@pytest.fixture
def started() -> Callable[[], list[psutil.Process]]:
    """What lives now and did not when the test began (other tests leave a tracker behind)."""
    before = living_children()
    return lambda: [child for child in living_children() if child not in before]


def is_over(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def test_leaving_the_house_in_the_middle_ends_what_runs(
    tmp_path: Path, started: Callable[[], list[psutil.Process]]
) -> None:
    subject = toy(tmp_path, "if bench.streaming(): time.sleep(1000)\nreturn 'Done.'")
    (hanging,) = orders(subject, 1)
    quick = replace(hanging, column=Column(streaming=False))
    with open_house(subject, parallel=2) as house:
        done = next(house.play([hanging, quick]))
        assert done.order is quick
        running = started()
    assert len(running) >= 2
    assert all(map(is_over, running))


def test_ctrl_c_ends_what_runs_and_reaches_the_caller(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    started: Callable[[], list[psutil.Process]],
) -> None:
    running: list[psutil.Process] = []

    async def press(run: ProcessRun, kind: str, text: str) -> None:
        running.extend(started())
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(ProcessRun, "say", press)
    subject = toy(tmp_path, f"{CALL}\ntime.sleep(1000)")
    event = {"at": "call_arrived", "do": "steer", "text": "Ctrl-C"}
    with open_house(subject) as house, pytest.raises(KeyboardInterrupt):
        list(house.play(orders(subject, 1, events=[event])))
    assert len(running) >= 2
    assert all(map(is_over, running))
