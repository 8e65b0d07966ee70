"""Experiments: rows in the plan's order whoever answers first, and what is said beside them."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest
from tests.scenarios.wordings.models.played import Played, calls
from tests.scenarios.wordings.toy_tasks import FULL, TASKS, VAGUE, scored, wording

from faultloop.loop.budget import Price
from faultloop.scenarios.wordings.answer import Answer, Usage
from faultloop.scenarios.wordings.experiment import Experiment, experiment, for_people
from faultloop.scenarios.wordings.models.asking import OUTAGE, Manner
from faultloop.scenarios.wordings.models.budget import Limits
from faultloop.scenarios.wordings.models.port import NoAnswer, Question
from faultloop.scenarios.wordings.planning import Design
from faultloop.scenarios.wordings.remarks import ALIKE_MIN


def played(
    model: Played | None = None,
    *,
    wordings: Any = (FULL, VAGUE),
    design: Design | None = None,
    **manner: Any,
) -> Experiment:
    return asyncio.run(
        experiment(
            TASKS,
            wordings,
            model or Played(story=by_lot),
            scorer=scored,
            design=design or Design(),
            manner=Manner(**manner),
        )
    )


def by_lot(question: Question, before: int) -> Answer:
    """Something, but the same for the same sample of the same question."""
    faces = [contract.face() for contract in question.contracts]
    lot = Random(f"{question.prompt} {faces} {question.sample}")
    name = lot.choice(question.contracts).name
    return Answer(calls=calls(name, str(lot.random())).calls, usage=Usage(output_tokens=500_000))


def test_a_row_says_where_it_comes_from_and_what_came() -> None:
    found = played(limits=Limits(price=Price(output_usd=4.0)))
    assert [(row.task, row.wording) for row in found.observations] == [
        (task.id, name) for task in TASKS for name in ("full", "vague")
    ]
    row = found.observations[0]
    assert (row.cluster, row.order, row.sample, row.cost_usd) == ("task-0", 0, 0, 2.0)
    assert row.selected is (row.chosen == "read")
    assert row.answered.startswith(("read(", "open(", "find(", "list("))
    assert (found.stopped, found.remarks) == ("", ())


def test_whoever_answers_first_the_bytes_are_the_same() -> None:
    async def slowly(model: Played, question: Question) -> Answer:
        for _ in range(Random(question.prompt + str(len(model.asked))).randrange(9)):
            await asyncio.sleep(0)
        return by_lot(question, 0)

    class Slow(Played):
        async def answer(self, question: Question) -> Answer:
            self.asked.append(question.prompt)
            return await slowly(self, question)

    design = Design(orders=3, samples=3)
    first = played(design=design, concurrency=1)
    second = played(Slow(), design=design, concurrency=7)
    encode = msgspec.json.encode
    assert encode(second.observations) == encode(first.observations)


def test_repeats_of_a_deterministic_model_are_marked() -> None:
    model = Played(story=by_lot, deterministic=True)
    found = played(model, design=Design(samples=3))
    assert len(model.asked) == len(TASKS) * 2
    assert {(row.sample, row.is_repeat) for row in found.observations} == {
        (0, False),
        (1, True),
        (2, True),
    }


def test_what_was_not_asked_is_said() -> None:
    model = Played(story=by_lot, deterministic=True, sees_order=False, name="m")
    found = played(model, design=Design(samples=3, orders=2))
    assert found.remarks == (
        "m does not see in which order tools are offered: it was asked in one.",
        "m answers a question the same each time: it was asked once.",
    )


def test_tokens_that_are_guessed_are_not_told_as_counted() -> None:
    guess = Usage(input_tokens=9, estimated=True)
    found = played(Played(story=lambda question, before: Answer(text="Hm.", usage=guess), name="m"))
    assert found.progress.took.usage.estimated
    assert found.remarks == (
        "m does not count tokens: those that are told are guessed from lengths.",
    )


@pytest.mark.parametrize(("tokens", "is_told"), [(30, True), (200, False)])
def test_a_server_that_hides_the_tools_from_its_model_is_told(tokens: int, is_told: bool) -> None:
    took = Usage(input_tokens=tokens)
    model = Played(story=lambda question, before: Answer(text="Hm.", usage=took), name="m")
    assert [one for one in played(model).remarks if "may not show them" in one] == (
        [
            "m counted fewer tokens than the tools alone have: its server may not show them to the"
            " model (look at its chat template)."
        ]
        if is_told
        else []
    )


def test_a_model_that_only_seems_to_draw_is_noticed() -> None:
    alike = Played(story=lambda question, before: calls("read"), name="m")
    found = played(alike, design=Design(samples=2))
    assert len(alike.asked) == len(TASKS) * 4
    assert [row.is_repeat for row in found.observations] == [False, False, True, True] * len(TASKS)
    assert found.remarks == (
        "m answered every sample of a question with the same words: further samples are repeats"
        " and do not count.",
    )


def test_one_sample_that_differs_and_it_does_draw() -> None:
    def story(question: Question, before: int) -> Answer:
        differs = question.sample == 1 and question.prompt == "Do 7."
        return calls("read", "{ }" if differs else "{}")

    found = played(Played(story=story), design=Design(samples=2))
    assert not any(row.is_repeat for row in found.observations)
    assert found.remarks == ()


def test_few_questions_prove_nothing() -> None:
    assert ALIKE_MIN > 2 * 2
    model = Played(story=lambda question, before: calls("read"))
    few = asyncio.run(
        experiment(
            TASKS[:2],
            (FULL, VAGUE),
            model,
            scorer=scored,
            design=Design(samples=2),
            manner=Manner(),
        )
    )
    assert not any(row.is_repeat for row in few.observations)


def test_a_failure_is_wrong_and_says_so() -> None:
    def story(question: Question, before: int) -> Answer:
        raise NoAnswer("unavailable", "too busy", retry_after_s=1e6)

    found = played(Played(story=story), concurrency=1)
    row = found.observations[0]
    assert (row.failure, row.selected, row.answered) == (
        "unavailable",
        False,
        "too busy (one attempt)",
    )
    assert found.progress.failed == OUTAGE


def test_a_stopped_run_has_whole_rows_only_and_says_how_to_go_on() -> None:
    found = played(limits=Limits(requests_max=5), concurrency=1)
    assert found.progress.done == 5
    assert len(found.observations) == 4
    names = [row.wording for row in found.observations]
    assert names.count("full") == names.count("vague")
    assert found.stopped == "--max-requests 5 is used up"
    assert found.remarks == (
        "Stopped after 5 of 16 questions: --max-requests 5 is used up. The same command goes on"
        " from there.",
    )


def test_a_wording_against_itself_is_told() -> None:
    found = played(wordings=(FULL, wording("copy", says="{tool}s files, full.")))
    assert [row.answered for row in found.observations[::2]] == [
        row.answered for row in found.observations[1::2]
    ]
    assert found.remarks == (
        "In 8 of 8 tasks the wordings say the same of all that is offered: these are asked once,"
        " and cannot differ.",
    )


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (calls("read", '{"path":\n "a"}'), 'read({"path": "a"})'),
        (Answer(calls=calls("a").calls + calls("b", "").calls, text="Hm."), "a({}) + b()"),
        (Answer(text=" Which\none? "), "Which one?"),
        (Answer(failure="cut", failure_says="Cut.", text="We"), "Cut."),
        (Answer(text="x" * 500), "x" * 397 + "..."),
    ],
)
def test_an_answer_is_a_line_for_people(answer: Answer, line: str) -> None:
    assert for_people(answer) == line
