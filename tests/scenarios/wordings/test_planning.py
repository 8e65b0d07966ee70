"""Plans: the same questions in each wording but for its words, and none asked for nothing."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from random import Random

import pytest
from tests.scenarios.wordings.models.played import Played
from tests.scenarios.wordings.toy_tasks import FULL, TASKS, VAGUE, task, wording

from faultloop.scenarios.wordings.planning import Design, Plan, clusters_of, plan, rotations
from faultloop.scenarios.wordings.task import Choice, Expected
from faultloop.scenarios.wordings.wording import NoSuchTool

BOTH = (FULL, VAGUE)


def planned(model: Played | None = None, **design: int) -> Plan:
    return plan(TASKS, BOTH, model or Played(), Design(**design))


def offered(found: Plan) -> dict[tuple[str, str, int], list[str]]:
    """(task, wording, order) to the base names of the tools that are offered."""
    return {
        (cell.task.id, cell.wording.name, cell.order): [
            str(cell.wording.tool_called(contract.name)) for contract in cell.question.contracts
        ]
        for group in found.cells
        for cell in group
    }


def test_the_orders_are_the_same_in_each_wording_and_differ_between_tasks() -> None:
    found = offered(planned(orders=3))
    for (task_id, name, order), tools in found.items():
        assert tools == found[task_id, "full", order], name
    assert len({tuple(tools) for (_, _, order), tools in found.items() if order == 0}) > 1
    assert found != offered(planned(orders=3, seed=1))
    assert found == offered(planned(orders=3))


def test_in_as_many_orders_as_tools_each_tool_stands_once_in_each_place() -> None:
    for count in (3, 6):
        orders = rotations(("a", "b", "c"), count, Random(1))
        for place in range(3):
            assert Counter(order[place] for order in orders) == dict.fromkeys("abc", count // 3)


def test_fewer_orders_are_spread_evenly_and_the_first_is_the_same_in_any_number() -> None:
    tools = [f"t{number}" for number in range(10)]
    two = rotations(tools, 2, Random(1))
    assert two[1].index(two[0][0]) == 5
    assert rotations(tools, 7, Random(1))[0] == two[0]
    assert rotations(["a"], 3, Random(1)) == [("a",)] * 3


def test_the_wordings_take_turns() -> None:
    found = planned(samples=2)
    names = {
        cell.key: (cell.task.id, cell.sample, cell.wording.name)
        for group in found.cells
        for cell in group
    }
    asked = [names[key] for key in found.questions]
    pairs = [list(pair) for _, pair in groupby(asked, key=lambda one: one[:2])]
    assert all({name for _, _, name in pair} == {"full", "vague"} for pair in pairs)
    firsts = Counter(pair[0][2] for pair in pairs)
    assert firsts["full"] == firsts["vague"]


def test_tasks_are_asked_in_no_order_and_told_in_theirs() -> None:
    found = planned()
    assert [group[0].task.id for group in found.cells] == [one.id for one in TASKS]
    prompts = [question.prompt for question in found.questions.values()]
    assert prompts != sorted(prompts)


def test_a_model_that_draws_is_asked_for_every_row() -> None:
    found = planned(orders=3, samples=2)
    assert len(found.questions) == len(TASKS) * 3 * 2 * 2
    assert len(found.cells) == len(TASKS) * 3 * 2


def test_a_model_that_sees_no_order_is_asked_in_one() -> None:
    found = planned(Played(sees_order=False), orders=5, samples=2)
    assert len(found.questions) == len(TASKS) * 2 * 2
    assert {cell.order for group in found.cells for cell in group} == {0}


def test_a_deterministic_model_is_asked_each_question_once() -> None:
    found = planned(Played(deterministic=True), orders=3, samples=4)
    assert len(found.questions) == len(TASKS) * 3 * 2
    assert {one.sample for one in found.questions.values()} == {0}
    again = [cell for group in found.cells for cell in group if cell.asked_before]
    assert {cell.sample for cell in again} == {1, 2, 3}


def test_a_rotation_that_is_none_is_the_same_question_again() -> None:
    one = [task(0, "read")]
    drawn = plan(one, BOTH, Played(), Design(orders=3))
    assert len(drawn.questions) == 6, "each row is a sample of its own"
    known = plan(one, BOTH, Played(deterministic=True), Design(orders=3))
    assert len(known.questions) == 2
    assert [group[0].asked_before for group in known.cells] == [False, True, True]


def test_where_wordings_say_the_same_they_are_asked_once() -> None:
    same = wording("copy", says="{tool}s files, full.")
    found = plan(TASKS, (FULL, same), Played(), Design(samples=2))
    assert len(found.questions) == len(TASKS) * 2
    assert all(len({cell.key for cell in group}) == 1 for group in found.cells)


def test_a_tool_that_nobody_has_is_told() -> None:
    with pytest.raises(NoSuchTool, match="wording 'full' has no tool 'reed'"):
        plan([task(0, "reed")], BOTH, Played(), Design())


def test_where_fewer_are_offered_all_that_serve_are_and_the_others_are_drawn_alike() -> None:
    wanted = Expected(any_of=(Choice(tool="find"), Choice(tool="list")))
    tasks = [task(0).model_copy(update={"calls": (wanted,)}), *TASKS[1:]]
    found = offered(plan(tasks, BOTH, Played(), Design(tools_max=2)))
    for (task_id, _, order), tools in found.items():
        assert tools == found[task_id, "full", order]
        assert len(tools) == 2
    assert set(found["task-0", "vague", 0]) == {"find", "list"}
    assert len({frozenset(tools) for tools in found.values()}) > 1

    both_serve = offered(plan(tasks[:1], BOTH, Played(), Design(tools_max=1)))
    assert set(both_serve["task-0", "full", 0]) == {"find", "list"}


@pytest.mark.parametrize("design", [{"orders": 0}, {"samples": 0}, {"tools_max": 0}])
def test_a_design_that_asks_nothing_is_refused(design: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be 1 or more"):
        Design(**design)


def test_tasks_that_share_their_tools_are_a_cluster() -> None:
    tasks = [
        task(0, "read", "find"),
        task(1, "find", "read"),
        task(2, "list", "read"),
        task(3),
        task(4),
        task(5, "read", "find", cluster="mine"),
    ]
    found = clusters_of(tasks)
    assert found["task-0"] == found["task-1"] != found["task-2"] == "task-2"
    assert (found["task-3"], found["task-4"]) == ("task-3", "task-4")
    assert found["task-5"] == "mine"


def test_one_set_for_all_is_no_cluster() -> None:
    found = clusters_of([task(0, "read", "find"), task(1, "read", "find")])
    assert found == {"task-0": "task-0", "task-1": "task-1"}


def test_tasks_that_ask_the_same_are_one_cluster_whatever_they_expect() -> None:
    """They may share one answer, so they are not two."""

    tasks = [
        task(0, prompt="Same."),
        task(1, prompt="Same.", cluster="named"),
        task(2, prompt="Other.", cluster="named"),
        task(3, "read", prompt="Same."),
        task(4, prompt="Other."),
        task(5, prompt="Third."),
    ]
    found = clusters_of(tasks)
    together = {found[f"task-{number}"] for number in (0, 1, 2, 4)}
    assert len(together) == 1
    assert (found["task-3"], found["task-5"]) == ("task-3", "task-5")
