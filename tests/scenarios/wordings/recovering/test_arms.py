"""Errors in several styles, as the reference loop tells them after a mistake."""

from __future__ import annotations

import asyncio

import pytest

from faultloop.loop.contract import Contract
from faultloop.loop.message import AssistantMessage, ResultMessage
from faultloop.scenarios.wordings.planning import plainly
from faultloop.scenarios.wordings.recovering.arms import BadArm, Errors, arm, errors
from faultloop.scenarios.wordings.recovering.mistakes import MISTAKES, Spelt
from faultloop.scenarios.wordings.recovering.playing import after_mistake, registry
from faultloop.scenarios.wordings.recovering.styles import STYLES, vague
from faultloop.scenarios.wordings.task import Task
from faultloop.scenarios.wordings.wording import Wording

READ = Contract(
    name="read_note",
    purpose="Reads a note.",
    parameters={
        "type": "object",
        "required": ["title"],
        "properties": {
            "title": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
    },
    read_only=True,
    example={"title": "Shopping"},
)
TASKS = (
    Task.model_validate(
        {
            "id": "one",
            "prompt": "Show me my groceries.",
            "calls": [{"any_of": [{"tool": "read_note", "args": {"title": "groceries"}}]}],
            "before": [{"role": "user", "text": "Hi."}],
            "tags": ["easy"],
        }
    ),
    Task.model_validate({"id": "none", "prompt": "Thanks!", "expect": "no call"}),
)
WORDING = Wording(name="full", contracts={"read_note": READ})


def made(*styles: str, each: bool = False) -> Errors:
    return asyncio.run(errors(TASKS, WORDING, [arm(one) for one in styles], seed=0, each=each))


def told(style: str, spelt: Spelt) -> str:
    after = asyncio.run(after_mistake("Show.", spelt, registry([READ]), STYLES[style]))
    assert after is not None
    said, result = after
    assert isinstance(said, AssistantMessage)
    assert [(call.name, call.arguments) for call in said.calls] == [tuple(spelt)]
    assert isinstance(result, ResultMessage)
    return result.content


WRONG = Spelt("read_note", '{"titel": "groceries"}')


@pytest.mark.parametrize(
    ("style", "says"),
    [
        ("vague", "Error: invalid arguments."),
        ("vague-example", 'Error: invalid arguments.\nExample: {"title": "Shopping"}'),
    ],
)
def test_vague_errors_name_no_place(style: str, says: str) -> None:
    assert told(style, WRONG) == says


def test_the_other_styles_name_the_place_and_differ_in_what_else_they_say() -> None:
    full, bare, problem = (
        told(name, WRONG) for name in ("where-what-how", "no-example", "problem")
    )
    assert all("titel: there is no such parameter" in one for one in (full, bare, problem))
    assert full == f'{bare}\nExample: {{"title": "Shopping"}}'
    assert "Received: " in bare
    assert "Received: " not in problem


def test_a_name_of_no_tool_is_told_without_arguments() -> None:
    unknown = Spelt("readNote", '{"title": "groceries"}')
    assert told("vague", unknown) == "Error: unknown tool."
    assert "nearest name first: read_note" in told("where-what-how", unknown)


def test_what_the_loop_mends_is_no_mistake() -> None:
    mended = Spelt("read_note", '{"title": "groceries", "tags": "[\\"food\\"]"}')
    assert asyncio.run(after_mistake("Show.", mended, registry([READ]), vague)) is None


def test_each_task_is_spoilt_once_or_in_every_way() -> None:
    once, always = made("vague", "problem"), made("vague", "problem", each=True)
    assert [task.id for task in once.tasks] == ["one: missing parameter"]
    assert {task.tags for task in always.tasks} == {
        (kind,) for kind in MISTAKES if kind != "wrong enum value"
    }
    assert {task.cluster for task in always.tasks} == {"one"}
    assert (once.left_out, always.left_out) == (1, 1)


def test_the_question_holds_the_conversation_and_the_error_and_the_arm_decides_strict() -> None:
    found = made("vague", "where-what-how+strict", "problem+free")
    (task,) = found.tasks
    questions = [found.asks(task, one, ("read_note",), "required") for one in found.wordings]
    plain = plainly(task, WORDING, ("read_note",), None)
    assert {one.messages for one in questions} == {plain.messages}
    assert [one.strict for one in questions] == ["required", "preferred", "off"]
    assert len({one.after for one in questions}) == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [("vage", "did you mean vague?"), ("vague+loud", "after the + stands strict or free")],
)
def test_a_style_that_there_is_not_is_a_sentence(text: str, says: str) -> None:
    with pytest.raises(BadArm, match=says.replace("?", r"\?").replace("+", r"\+")):
        arm(text)
