"""The course of a play, with subjects of a few lines that live under the simulated clock."""

from typing import get_args

import pytest

from faultloop.fakes.history import Account, Acted, Ended, GateOpened, Left, Started
from faultloop.scenarios.house import SimHouse
from faultloop.scenarios.play import NEXT, End, Order, next_turn
from faultloop.scenarios.subject import (
    Brief,
    Column,
    Resume,
    SubjectUnusable,
)

from .toy import COMPLETED, KILL_AFTER, SLOW, Toy, ToyRun, append, of, played, says, scenario

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
