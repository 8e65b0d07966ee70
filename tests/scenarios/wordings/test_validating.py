"""Each task's own answer is right, and wrong ones are not: here, and of all that is shipped."""

from __future__ import annotations

import pytest
from tests.scenarios.wordings.workshop import BASE, RENAMED, choice, wants

from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.reading import shipped
from faultloop.scenarios.wordings.reading.tasks import load_tasks
from faultloop.scenarios.wordings.reading.wordings import load_wording
from faultloop.scenarios.wordings.scoring import score
from faultloop.scenarios.wordings.task import Choice, Task
from faultloop.scenarios.wordings.validating import complaints, own_answers, wrong_answers
from faultloop.scenarios.wordings.wording import Wording

TASKS: tuple[Task, ...] = (
    wants(choice("read_file", path={"path": "a/b"}, limit={"number": 3, "tolerance": 1})),
    wants(choice("tag", names={"unordered": ["a", {"one_of": ["b", "c"]}]})),
    wants(Choice(tool="read_file", args={"path": "a"}, may_have={"limit": {"one_of": [1, 2]}})),
    wants(choice("read_file", path={"regex": "a+", "such_as": "aa"}), choice("status")),
    wants(choice("status"), choice("read_file", path="a"), ordered=True),
    wants((choice("status"), choice("tag", names=[])), choice("read_file", path="a")),
    wants(Choice(tool="read_file", args={"path": ""}, may_have={"limit": 0})),
    Task(id="t", prompt="p", expect="no call"),
    Task(id="t", prompt="p", expect="ask back"),
)


@pytest.mark.parametrize("wording", [BASE, RENAMED], ids=lambda one: one.name)
@pytest.mark.parametrize("task", TASKS, ids=lambda one: one.label)
def test_the_own_answers_are_right_and_the_others_wrong(task: Task, wording: Wording) -> None:
    assert [*complaints([task], wording)] == []
    assert all(score(task, wording, answer).right for answer in own_answers(task, wording))
    assert [*own_answers(task, wording)]
    judged = {what: score(task, wording, one) for what, one in wrong_answers(task, wording)}
    assert [what for what, found in judged.items() if found.right] == []
    assert len(judged) >= (2 if not task.calls else 6)


def test_every_value_of_an_own_answer_is_tried() -> None:
    task = TASKS[1]
    texts = {answer.calls[0].arguments for answer in own_answers(task, BASE)}
    assert texts == {
        f'{{"names": {names}}}'
        for names in ('["a", "b"]', '["b", "a"]', '["a", "c"]', '["c", "a"]')
    }


def test_what_may_be_left_out_is_tried_even_where_it_is_nothing() -> None:
    task = wants(Choice(tool="read_file", args={"path": "a"}, may_have={"limit": 0}))
    texts = [answer.calls[0].arguments for answer in own_answers(task, BASE)]
    assert texts == ['{"path": "a"}', '{"path": "a", "limit": 0}']


def test_an_argument_that_is_changed_or_left_out_is_wrong() -> None:
    task = wants(choice("read_file", path="a", start=2))
    tried = [what for what, _ in wrong_answers(task, BASE)]
    assert {"another path", "no path", "another start"} <= set(tried)
    assert "no start" not in tried  # its default might be right


def test_what_no_value_follows_from_is_left_to_its_author() -> None:
    task = wants(choice("read_file", path={"regex": "a+"}))
    assert [*complaints([task], BASE)] == []
    assert [*own_answers(task, BASE)] == []
    assert [what for what, _ in wrong_answers(task, BASE)] == ["failed", "no call"]


def test_a_task_that_contradicts_itself_is_found() -> None:
    one = Task(id="t", prompt="p", expect="ask back", tools=("tag",))
    assert [*own_answers(one, BASE)] == [Answer(text="Which one?")]
    (found,) = complaints([one, wants(choice("tag", names=[5]))], BASE)
    assert found.at == 1
    assert found.complaint.place == ("calls", 0, "any_of", 0, "args", "names")


@pytest.mark.parametrize(
    ("tasks", "wording"),
    [
        (tasks, wording)
        for tasks in shipped.task_sets()
        for wording in shipped.wordings()
        if wording.startswith(f"{tasks}/")
    ],
)
def test_the_shipped_tasks_can_be_scored_in_each_of_their_wordings(
    tasks: str, wording: str
) -> None:
    found = load_wording(wording)
    loaded = load_tasks(tasks, found)
    answered = 0
    for task in loaded.tasks:
        answered += any(score(task, found, one).right for one in own_answers(task, found))
        wrong = [what for what, one in wrong_answers(task, found) if score(task, found, one).right]
        assert wrong == [], task.id
    assert answered > len(loaded.tasks) / 2
