"""The course of a play, with subjects of a few lines that live under the simulated clock."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal, get_args

import httpx
import pytest

from faultloop.fakes import clock
from faultloop.fakes.app import App
from faultloop.fakes.history import Account, Acted, EffectApplied, Ended, GateOpened, Left, Started
from faultloop.fakes.transport import StageTransport
from faultloop.scenarios.house import SimHouse
from faultloop.scenarios.play import GRACE_S, LAST_S, NEXT, Done, End, Order, next_turn
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import (
    Brief,
    Capabilities,
    Column,
    Outcome,
    Resume,
    SubjectUnusable,
    Venue,
)

COMPLETED = Account(end_reason="completed")

Life = Callable[["ToyRun", Brief], Awaitable[Account]]
"""What a toy does with a start."""


class ToyRun:
    """One start of a toy: a simulated process that runs its life."""

    def __init__(self, venue: Venue, brief: Brief, life: Life) -> None:
        assert isinstance(venue.app, App)
        self._name = f"start {brief.start}"
        self.heard: list[str] = []
        self.cancelled = asyncio.Event()
        self.client = httpx.AsyncClient(
            transport=StageTransport(venue.app), base_url=f"{venue.url}/{brief.start}"
        )
        with clock.sim_loop().process(self._name) as self._process:
            self._task: asyncio.Task[Account] = asyncio.ensure_future(life(self, brief))  # type: ignore[arg-type]

    async def call(self, tool: str, **args: Any) -> str:
        answer = await self.client.post(f"/tools/{tool}", json=args, timeout=None)
        return answer.text

    async def wait(self) -> Outcome:
        await asyncio.wait({self._task, self._process.death}, return_when=asyncio.FIRST_COMPLETED)
        if not self._task.done():
            return Outcome(how="killed", exit_code=-9, account=Account())
        return Outcome(how="exited", exit_code=0, account=self._task.result())

    async def kill(self) -> None:
        clock.sim_loop().kill_process(self._name)

    async def clear(self) -> int:
        clock.sim_loop().kill_process(self._name)
        return 0

    async def cancel(self) -> None:
        self.cancelled.set()

    async def say(self, kind: Literal["message", "steer", "follow_up"], text: str) -> None:
        self.heard.append(f"{kind}: {text}")


class Toy:
    """A subject that lives as a function says."""

    name = "toy"
    version = "1"
    about = ""

    def __init__(self, life: Life, resume: Resume = "session", run: type[ToyRun] = ToyRun) -> None:
        self._life = life
        self._run = run
        self.capabilities = Capabilities(tier="sim", resume=resume)
        self.briefs: list[Brief] = []

    def open(self, venue: Venue) -> Any:
        return self._opened(venue)

    async def close(self) -> None: ...

    @asynccontextmanager
    async def _opened(self, venue: Venue) -> AsyncIterator["Toy"]:
        self._venue = venue
        yield self

    async def start(self, brief: Brief) -> ToyRun:
        self.briefs.append(brief)
        return self._run(self._venue, brief, self._life)

    def journal(self) -> Sequence[dict[str, Any]] | None:
        return None

    def stderr(self) -> str:
        return "said by the toy"


def scenario(**parts: Any) -> Scenario:
    return Scenario.model_validate(
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


def played(subject: Toy, **parts: Any) -> Done:
    order = Order(scenario=scenario(**parts), subject=subject, column=Column(), seed=7)
    (done,) = SimHouse().play([order])
    assert done.crash == ""
    return done


def of(done: Done, *kinds: type) -> list[Any]:
    return [entry for entry in done.evidence.history if isinstance(entry, kinds)]


async def append(run: ToyRun, brief: Brief) -> Account:
    """Append a line and be content."""
    await run.call("append_file", path="notes.txt", line=f"by start {brief.start}")
    return COMPLETED


def says(end_reason: str) -> Life:
    async def life(run: ToyRun, brief: Brief) -> Account:
        return Account(end_reason=end_reason)

    return life


async def forever(run: ToyRun, brief: Brief) -> Account:
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


KILL_AFTER = {"at": "after_effect", "do": "kill", "tool": "append_file"}
CANCEL_IN_CALL = {"at": "call_arrived", "do": "cancel", "tool": "append_file"}
SLOW = {"kind": "tool_slow", "at": "tool append_file"}
DEAF = {"kind": "not_cancellable", "at": "tool append_file"}


# --- what follows what ----------------------------------------------------------------------


def test_the_table_has_an_answer_for_every_end_and_every_kind_of_resume() -> None:
    assert set(NEXT) == set(get_args(End))
    for row in NEXT.values():
        assert set(row) == set(get_args(Resume))


def test_a_play_that_completes_has_one_start() -> None:
    done = played(Toy(append))
    (started, ended) = of(done, Started, Ended)
    assert (started.turn, started.resume, ended.how) == (0, False, "exited")
    assert [effect.tool for effect in done.evidence.ledger] == ["append_file"]
    assert (done.unfired_faults, done.idle_triggers) == ((), ())


@pytest.mark.parametrize(
    ("resume", "starts"),
    [
        ("none", [(0, False, True)]),
        ("rerun", [(0, False, True), (0, False, True)]),
        ("session", [(0, False, True), (1, True, True)]),
        ("continue", [(0, False, True), (0, True, False), (1, True, True)]),
    ],
)
def test_after_a_kill_it_is_started_again_as_it_declares(
    resume: Resume, starts: list[tuple[int, bool, bool]]
) -> None:
    done = played(Toy(append, resume), events=[KILL_AFTER])
    assert [(one.turn, one.resume, one.input != "") for one in of(done, Started)] == starts
    assert of(done, Ended)[0].how == "killed"


@pytest.mark.parametrize(
    ("resume", "turns"), [("none", [0]), ("rerun", [0]), ("session", [0, 1]), ("continue", [0, 1])]
)
@pytest.mark.parametrize("end_reason", ["error", "max_tokens", "aborted", "max_steps"])
def test_after_an_abnormal_end_whoever_remembers_gets_another_message(
    resume: Resume, turns: list[int], end_reason: str
) -> None:
    done = played(Toy(says(end_reason), resume))
    assert [started.turn for started in of(done, Started)] == turns


def test_the_message_of_a_rerun_is_the_same_to_the_letter() -> None:
    toy = Toy(append, "rerun")
    played(toy, events=[KILL_AFTER])
    first, second = toy.briefs
    assert first.input == second.input != ""


@pytest.mark.parametrize(
    ("when", "shaken", "following"),
    [
        (("abnormal", "abnormal"), True, 1),
        (("abnormal", "abnormal"), False, None),
        (("abnormal", "always"), False, 2),
        (("always", "abnormal"), False, 1),
        ((), True, None),
    ],
)
def test_messages_are_sent_always_or_after_an_abnormal_turn(
    when: tuple[str, ...], shaken: bool, following: int | None
) -> None:
    turns = [{"when": one} for one in when]
    assert next_turn(scenario(next_turns=turns), 0, shaken=shaken) == following


# --- the bench's hands ----------------------------------------------------------------------


def test_a_kill_at_a_landmark_leaves_the_effect_and_no_answer() -> None:
    answers: list[str] = []

    async def life(run: ToyRun, brief: Brief) -> Account:
        answers.append(await run.call("append_file", path="notes.txt", line="x"))
        return COMPLETED

    done = played(Toy(life, "none"), events=[KILL_AFTER])
    assert (answers, len(done.evidence.ledger)) == ([], 1)
    assert [acted.do for acted in of(done, Acted)] == ["kill"]


def test_speech_reaches_the_start_that_is_under_way() -> None:
    heard: list[str] = []

    async def life(run: ToyRun, brief: Brief) -> Account:
        await run.call("append_file", path="notes.txt", line="x")
        heard.extend(run.heard)
        return COMPLETED

    event = {"at": "call_arrived", "do": "steer", "text": "left, please"}
    done = played(Toy(life), events=[event])
    assert (heard, done.idle_triggers) == (["steer: left, please"], ())


def test_what_never_happened_is_told() -> None:
    done = played(Toy(says("completed")), events=[KILL_AFTER], faults=[SLOW])
    assert (done.unfired_faults, done.idle_triggers) == ((0,), (0,))


# --- cancelling, late work and ends that do not come ----------------------------------------


async def lets_go(run: ToyRun, brief: Brief) -> Account:
    """Cancels its call when it is cancelled."""
    call = asyncio.ensure_future(append(run, brief))
    stop = asyncio.ensure_future(run.cancelled.wait())
    await asyncio.wait({call, stop}, return_when=asyncio.FIRST_COMPLETED)
    call.cancel()
    return Account(end_reason="aborted" if run.cancelled.is_set() else "completed")


def test_cancelled_work_that_stops_leaves_nothing_behind() -> None:
    done = played(Toy(lets_go, "none"), events=[CANCEL_IN_CALL], faults=[SLOW])
    assert (of(done, Ended)[0].account.end_reason, done.evidence.ledger) == ("aborted", ())


def test_work_that_goes_on_after_the_end_is_seen_as_late() -> None:
    done = played(Toy(lets_go, "none"), events=[CANCEL_IN_CALL], faults=[DEAF])
    late = [type(entry) for entry in of(done, Ended, GateOpened, EffectApplied)]
    assert late == [Ended, GateOpened, EffectApplied]


def test_a_loop_that_waits_for_what_cannot_be_stopped_is_let_through() -> None:
    done = played(Toy(append, "none"), events=[CANCEL_IN_CALL], faults=[DEAF])
    assert [type(entry) for entry in of(done, Ended, GateOpened, EffectApplied)] == [
        GateOpened,  # for what cannot be stopped
        EffectApplied,
        Ended,
        GateOpened,  # for everything
    ]
    assert of(done, Ended)[0].how == "exited"


def test_work_that_stops_within_the_grace_has_no_effect_by_the_bench_s_own_hand() -> None:
    async def life(run: ToyRun, brief: Brief) -> Account:
        call = asyncio.ensure_future(append(run, brief))
        await run.cancelled.wait()
        await asyncio.sleep(GRACE_S - 0.5)
        call.cancel()
        return Account(end_reason="aborted")

    done = played(Toy(life, "none"), events=[CANCEL_IN_CALL], faults=[SLOW])
    assert of(done, Ended)[0].account.end_reason == "aborted"
    assert done.evidence.ledger == ()


def test_a_loop_that_waits_for_its_call_after_the_cancel_gets_it_when_the_grace_is_over() -> None:
    async def life(run: ToyRun, brief: Brief) -> Account:
        await append(run, brief)
        return Account(end_reason="aborted")

    done = played(Toy(life, "none"), events=[CANCEL_IN_CALL], faults=[SLOW])
    assert of(done, Ended)[0].how == "exited"
    opened = next(e for e in done.evidence.history if isinstance(e, GateOpened))
    assert done.evidence.times_s[opened.position] == GRACE_S


def test_a_loop_that_does_not_heed_its_cancel_is_killed_after_the_grace() -> None:
    async def life(run: ToyRun, brief: Brief) -> Account:
        await append(run, brief)
        return await forever(run, brief)

    done = played(Toy(life), events=[CANCEL_IN_CALL], deadline_s=1000)
    (outcome,) = done.outcomes
    assert (outcome.how, outcome.grace_exceeded) == ("did_not_end", True)
    assert done.evidence.times_s[-1] < 20


def test_a_play_past_its_deadline_is_ended_and_nothing_follows() -> None:
    done = played(Toy(forever), deadline_s=25)
    (outcome,) = done.outcomes
    assert (outcome.how, outcome.grace_exceeded) == ("did_not_end", False)
    assert done.evidence.times_s[-1] == 25 + LAST_S


def test_a_loop_that_ends_itself_at_its_deadline_is_in_time() -> None:
    async def life(run: ToyRun, brief: Brief) -> Account:
        await asyncio.sleep(brief.deadline_s + 1)  # an interpreter needs a second to start
        return Account(end_reason="timeout")

    (outcome,) = played(Toy(life, "none"), deadline_s=25).outcomes
    assert (outcome.how, outcome.account.end_reason) == ("exited", "timeout")


# --- what is left, and what was wrong -------------------------------------------------------


def test_processes_that_outlive_a_start_are_told() -> None:
    class Littering(ToyRun):
        async def clear(self) -> int:
            await super().clear()
            return 2

    done = played(Toy(says("completed"), "none", run=Littering))
    assert [entry.processes for entry in of(done, Left)] == [2]
    assert done.outcomes[0].left == 2
    assert of(played(Toy(says("completed"), "none")), Left) == []


def test_an_exit_code_that_contradicts_the_account_is_told() -> None:
    done = played(Toy(says("error"), "none"))  # a toy always exits with 0
    assert of(done, Ended)[0].complaints == ("it said error and exited with 0",)
    assert of(played(Toy(says("completed"), "none")), Ended)[0].complaints == ()


def test_held_work_waits_for_nobody_where_nothing_is_staged() -> None:
    done = played(Toy(append), faults=[SLOW])
    assert (of(done, Ended)[0].how, done.evidence.times_s[-1]) == ("exited", 0)


def test_the_gate_is_not_mentioned_where_nothing_can_stand_at_it() -> None:
    assert of(played(Toy(append, "rerun"), events=[KILL_AFTER]), GateOpened) == []


# --- no play at all -------------------------------------------------------------------------


def test_a_subject_that_declines_is_not_applicable_in_its_own_words() -> None:
    async def life(run: ToyRun, brief: Brief) -> Account:
        return Account(not_applicable="no GPU here")

    assert played(Toy(life)).not_applicable == "no GPU here"


def test_a_subject_that_lacks_something_is_not_applicable_with_the_cure() -> None:
    class Unusable(Toy):
        async def start(self, brief: Brief) -> ToyRun:
            raise SubjectUnusable("toy needs 'node': install Node.js")

    assert played(Unusable(append)).not_applicable == "toy needs 'node': install Node.js"


def test_a_failure_of_the_bench_is_told_and_the_next_play_goes_on() -> None:
    class Broken(Toy):
        async def start(self, brief: Brief) -> ToyRun:
            raise RuntimeError("a bug of ours")

    orders = [
        Order(scenario=scenario(), subject=subject, column=Column(), seed=7)
        for subject in (Broken(append), Toy(append))
    ]
    broken, fine = SimHouse().play(orders)
    assert "a bug of ours" in broken.crash
    assert (broken.evidence.history, fine.crash) == ((), "")


# --- determinism ----------------------------------------------------------------------------


def test_the_same_order_gives_the_same_history_and_another_seed_other_marks() -> None:
    def history(seed: int) -> tuple[object, ...]:
        order = Order(scenario=scenario(), subject=Toy(append), column=Column(), seed=seed)
        (done,) = SimHouse().play([order])
        return done.evidence.history

    assert history(1) == history(1)
    assert history(1) != history(2)


def test_every_order_has_a_play_of_its_own() -> None:
    toy = Toy(append)
    ids = {
        Order(
            scenario=scenario(),
            subject=toy,
            column=Column(streaming=streaming),
            seed=seed,
            repeat=n,
        ).play
        for streaming in (True, False)
        for seed in (1, 2)
        for n in (0, 1)
    }
    assert len(ids) == 8
