"""What someone answered who saw the requests and the full wording, and nothing else.

`third_reader.jsonl` has his answers, one a task. A task that changes so that one of them is wrong
is read again by someone who does not know what is expected, or its request is mended.
"""

from __future__ import annotations

import json
from pathlib import Path

from faultloop.loop.message import Call
from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.reading.tasks import load_tasks
from faultloop.scenarios.wordings.reading.wordings import load_wording
from faultloop.scenarios.wordings.score import Flaw
from faultloop.scenarios.wordings.scoring import score
from faultloop.scenarios.wordings.task import Task

FULL = load_wording("coding_agent/full")
TASKS = load_tasks("coding_agent").tasks
LINES = Path(__file__).with_name("third_reader.jsonl").read_text(encoding="utf-8").splitlines()


def _answers() -> dict[str, Answer]:
    read = {}
    for row in map(json.loads, LINES):
        calls = tuple(
            Call(id=f"call_{number}", name=call["name"], arguments=json.dumps(call["arguments"]))
            for number, call in enumerate(row.get("calls", ()))
        )
        read[row["task"]] = Answer(calls=calls, text=row.get("text", ""))
    return read


ANSWERS = _answers()


def test_each_task_was_answered_once() -> None:
    assert len(LINES) == len(ANSWERS)
    assert set(ANSWERS) == {task.id for task in TASKS}


def test_all_his_answers_are_right() -> None:
    wrong = {task.id: flaws for task in TASKS if (flaws := _flaws(task))}
    assert not wrong


def _flaws(task: Task) -> tuple[Flaw, ...] | str:
    scored = score(task, FULL, ANSWERS[task.id])
    if scored.selected and scored.filled is not False:
        return ()
    return scored.flaws or f"expected {scored.expected}, and {scored.chosen} came"


def test_the_answer_to_another_task_is_wrong_nearly_always() -> None:
    """Else the first test could not fail."""
    calling = [task for task in TASKS if ANSWERS[task.id].calls]
    next_one = [*calling[1:], calling[0]]
    taken = [
        task.id
        for task, other in zip(calling, next_one, strict=True)
        if score(task, FULL, ANSWERS[other.id]).filled
    ]
    assert not taken, taken
