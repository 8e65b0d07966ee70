"""What is right and what is wrong with an answer: names, arguments, and their number and order."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scenarios.wordings.workshop import BASE, RENAMED, call, choice, said, wants

from faultloop.loop.contract import Contract
from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.score import Mistake, Score
from faultloop.scenarios.wordings.scoring import score
from faultloop.scenarios.wordings.task import Choice, Expected, Task
from faultloop.scenarios.wordings.wording import Wording

READ_A = choice("read_file", path={"path": "src/a.py"})
NO_CALL = Task(id="t", prompt="Thanks!", expect="no call")
ASK = Task(id="t", prompt="Rename it.", expect="ask back")


def mistakes(found: Score) -> list[Mistake]:
    return [flaw.mistake for flaw in found.flaws]


def one(
    task: Task, answer: Answer, wording: Wording = BASE
) -> tuple[bool, bool | None, list[Mistake]]:
    found = score(task, wording, answer)
    assert (found.chosen == found.expected) == found.selected
    assert all(flaw.says for flaw in found.flaws)
    return found.selected, found.filled, mistakes(found)


def test_the_right_call_is_right() -> None:
    found = score(wants(READ_A), BASE, said(call("read_file", path="./src/a.py")))
    assert found == Score(selected=True, filled=True, expected="read_file", chosen="read_file")
    assert found.right


ARGUMENTS: tuple[tuple[Any, list[Mistake]], ...] = (
    ({"path": "src/b.py"}, [Mistake.WRONG_VALUE]),
    ({"path": 5}, [Mistake.WRONG_TYPE]),
    ({}, [Mistake.MISSING]),
    ({"path": "src/a.py", "limit": 3}, [Mistake.INVENTED]),
    ({"path": "src/a.py", "start": 1}, []),
    ({"path": "src/a.py", "start": 1.0}, []),
    ({"path": "src/a.py", "start": 2}, [Mistake.INVENTED]),
    ({"path": "src/a.py", "paht": "x"}, [Mistake.INVENTED]),
    ({"paht": "src/a.py"}, [Mistake.INVENTED, Mistake.MISSING]),
    ("", [Mistake.UNPARSABLE]),
    ('{"path": "src/a.py"', [Mistake.UNPARSABLE]),
    ('{"path": "src/a.py",}', [Mistake.UNPARSABLE]),
    ('```json\n{"path": "src/a.py"}\n```', [Mistake.UNPARSABLE]),
    ('["src/a.py"]', [Mistake.UNPARSABLE]),
    ('"{\\"path\\": \\"src/a.py\\"}"', [Mistake.UNPARSABLE]),
    ('{"path": "x", "path": "src/a.py"}', [Mistake.UNPARSABLE]),
    ('{"path": "src\\u002fa.py"}', []),
    ('{"path": NaN}', [Mistake.UNPARSABLE]),
)


@pytest.mark.parametrize(("args", "expected"), ARGUMENTS, ids=str)
def test_arguments_are_told_apart(args: Any, expected: list[Mistake]) -> None:
    came = call("read_file", args) if isinstance(args, str) else call("read_file", **args)
    assert one(wants(READ_A), said(came)) == (True, not expected, expected)


def test_a_flaw_says_which_call_which_parameter_and_what_came() -> None:
    (flaw,) = score(wants(READ_A), BASE, said(call("read_file", path="b"))).flaws
    assert (flaw.call, flaw.parameter) == (0, "path")
    assert flaw.says == 'path: expected the path "src/a.py", and "b" came'


def test_a_wrong_type_is_found_below_the_top() -> None:
    task = wants(choice("tag", names=["1", "2"]))
    assert one(task, said(call("tag", names=[1, 2]))) == (True, False, [Mistake.WRONG_TYPE])
    assert one(task, said(call("tag", names=["2", "1"]))) == (True, False, [Mistake.WRONG_VALUE])


def test_a_wrong_type_of_one_argument_is_none_of_another_that_is_alike() -> None:
    task = wants(choice("read_file", path="5", start=6))
    found = one(task, said(call("read_file", path=5, start=5)))
    assert found == (True, False, [Mistake.WRONG_TYPE, Mistake.WRONG_VALUE])


def test_what_the_tools_schema_refuses_is_never_right() -> None:
    task = wants(choice("tag", names={"anything": True}))
    assert one(task, said(call("tag", names=["a"])))[1] is True
    assert one(task, said(call("tag", names=[1]))) == (True, False, [Mistake.WRONG_TYPE])


def test_what_is_named_may_be_left_to_a_default_that_is_right() -> None:
    assert one(wants(choice("read_file", path="a", start=1)), said(call("read_file", path="a")))[1]
    later = wants(choice("read_file", path="a", start=2))
    assert one(later, said(call("read_file", path="a"))) == (True, False, [Mistake.MISSING])


def test_what_may_be_there_must_be_right_where_it_is() -> None:
    task = wants(Choice(tool="read_file", args={"path": "a"}, may_have={"limit": {"number": 5}}))
    assert one(task, said(call("read_file", path="a")))[1]
    assert one(task, said(call("read_file", path="a", limit=5)))[1]
    assert one(task, said(call("read_file", path="a", limit=6)))[2] == [Mistake.WRONG_VALUE]


def test_no_text_at_all_is_right_for_a_tool_without_parameters() -> None:
    assert one(wants(choice("status")), said(call("status", "")))[:2] == (True, True)
    assert one(wants(choice("status")), said(call("status", "null")))[1] is False


def test_nulls_are_left_out_where_a_strict_form_was_asked_for_whatever_the_contract_says() -> None:
    asked = said(call("read_file", path="src/a.py", limit=None))
    assert not score(wants(READ_A), BASE, asked).right
    assert score(wants(READ_A), BASE, asked, strict="preferred").right
    assert not score(wants(READ_A), BASE, asked, strict="off").right


def test_nulls_of_a_strict_form_are_left_out() -> None:
    answer = said(call("read_file", path="src/a.py", start=None, limit=None))
    assert one(wants(READ_A), answer)[2] == [Mistake.INVENTED] * 2
    read = BASE.contracts["read_file"]
    strict = Contract(name="read_file", purpose="", parameters=read.parameters, strict="required")
    wording = Wording(name="strict", contracts={**BASE.contracts, "read_file": strict})
    assert one(wants(READ_A), answer, wording) == (True, True, [])


def test_names_are_translated_and_the_bases_own_are_unknown_where_they_are_not_used() -> None:
    task = wants(READ_A)
    assert one(task, said(call("open_document", file="src/a.py")), RENAMED) == (True, True, [])
    found = one(task, said(call("open_document", path="src/a.py")), RENAMED)
    assert found == (True, False, [Mistake.INVENTED, Mistake.MISSING])
    both = said(call("open_document", path="src/a.py", file="src/a.py"))
    assert one(task, both, RENAMED) == (True, False, [Mistake.INVENTED])
    assert one(task, said(call("read_file", path="src/a.py")), RENAMED)[2] == [Mistake.UNKNOWN_TOOL]


def test_a_name_is_told_in_part_however_long_a_model_made_it() -> None:
    endless = "a" * 100_000
    tool = score(wants(READ_A), RENAMED, said(call(endless))).flaws
    parameter = score(wants(READ_A), RENAMED, said(call("open_document", **{endless: 1}))).flaws
    for flaw in (*tool, *parameter):
        assert len(flaw.says) + len(flaw.parameter) < 400


def test_a_mistake_is_told_in_the_bases_names() -> None:
    (flaw,) = score(wants(READ_A), RENAMED, said(call("open_document", file="b"))).flaws
    assert flaw.parameter == "path"


CALLS: tuple[tuple[Task, Answer, bool, list[Mistake], str], ...] = (
    (wants(READ_A), said(call("tag", names=["a"])), False, [Mistake.WRONG_TOOL], "tag"),
    (wants(READ_A), said(call("raed")), False, [Mistake.UNKNOWN_TOOL], "(unknown name)"),
    (wants(READ_A), said(text="Here it is."), False, [Mistake.NO_CALL], "(no call)"),
    (wants(READ_A), said(text="Which one?"), False, [Mistake.NO_CALL], "(ask back)"),
    (
        wants(READ_A),
        said(call("read_file", path="src/a.py"), call("status")),
        False,
        [Mistake.TOO_MANY],
        "read_file + status",
    ),
    (
        wants(READ_A),
        said(call("x"), call("read_file", path="src/a.py")),
        False,
        [Mistake.TOO_MANY, Mistake.UNKNOWN_TOOL],
        "(unknown name) + read_file",
    ),
    (wants(READ_A, choice("status")), said(call("status")), False, [Mistake.TOO_FEW], "status"),
    (
        wants(READ_A, choice("status")),
        said(call("status"), call("status")),
        False,
        [Mistake.WRONG_TOOL],
        "status + status",
    ),
    (
        wants(READ_A, tools=("read_file", "tag")),
        said(call("status")),
        False,
        [Mistake.UNKNOWN_TOOL],
        "(unknown name)",
    ),
    (NO_CALL, said(text="You are welcome."), True, [], "(no call)"),
    (NO_CALL, said(text="Anything else?"), True, [], "(no call)"),
    (NO_CALL, said(), True, [], "(no call)"),
    (NO_CALL, said(call("status")), False, [Mistake.CALL_UNWANTED], "status"),
    (
        NO_CALL,
        said(call("x")),
        False,
        [Mistake.CALL_UNWANTED, Mistake.UNKNOWN_TOOL],
        "(unknown name)",
    ),
    (ASK, said(text="Which file?"), True, [], "(ask back)"),
    (ASK, said(text="改成什么名字？"), True, [], "(ask back)"),
    (
        ASK,
        said(text="Done: see list?page=2 and user?.name"),
        False,
        [Mistake.DID_NOT_ASK],
        "(no call)",
    ),
    (ASK, said(call("status"), text="Which?"), False, [Mistake.CALL_UNWANTED], "status"),
)


@pytest.mark.parametrize(("task", "answer", "selected", "expected", "chosen"), CALLS)
def test_choices_are_told_apart(
    task: Task, answer: Answer, selected: bool, expected: list[Mistake], chosen: str
) -> None:
    assert one(task, answer) == (selected, None, expected)
    assert score(task, BASE, answer).chosen == chosen


@pytest.mark.parametrize("task", [NO_CALL, ASK, wants(READ_A)])
def test_no_answer_is_wrong_and_said_apart(task: Task) -> None:
    answer = Answer(failure="timeout", failure_says="Nothing came within 60 s.", text="?")
    found = score(task, BASE, answer)
    assert (found.selected, found.filled, found.chosen) == (False, None, "(no answer)")
    assert [flaw.says for flaw in found.flaws] == ["Nothing came within 60 s."]
    assert mistakes(found) == [Mistake.NO_ANSWER]


def test_a_model_without_arguments_is_judged_by_its_choice_alone() -> None:
    answer = said(call("read_file", "{}"), gives_arguments=False)
    assert one(wants(READ_A), answer) == (True, None, [])
    assert score(wants(READ_A), BASE, answer).right
    several = said(call("status"), call("read_file"), gives_arguments=False)
    assert one(wants(READ_A, choice("status")), several) == (True, None, [])


def test_tools_that_serve_equally_are_one_label() -> None:
    task = wants((READ_A, choice("status")))
    found = score(task, BASE, said(call("status")))
    assert (found.right, found.chosen) == (True, "read_file")


def test_of_two_choices_of_a_tool_the_nearer_one_is_told() -> None:
    task = wants((choice("read_file", path="a", limit=1), choice("read_file", path="b")))
    assert one(task, said(call("read_file", path="b")))[1]
    assert one(task, said(call("read_file", path="a", limit=2)))[2] == [Mistake.WRONG_VALUE]


TWO = (choice("read_file", path={"one_of": ["a", "b"]}), choice("read_file", path="a"))


def test_calls_are_assigned_as_well_as_can_be_in_any_order() -> None:
    """A greedy pairing would give the first call to the first expectation, and fail one way."""
    for paths in (("a", "b"), ("b", "a"), ("a", "a")):
        calls = [call("read_file", path=path) for path in paths]
        assert one(wants(*TWO), said(*calls)) == (True, True, [])
    wrong = said(call("read_file", path="b"), call("read_file", path="b"))
    assert one(wants(*TWO), wrong) == (True, False, [Mistake.WRONG_VALUE])


def test_an_order_that_was_asked_for_is_kept() -> None:
    task = wants(READ_A, choice("status"), ordered=True)
    read, status = call("read_file", path="src/a.py"), call("status")
    assert one(task, said(read, status)) == (True, True, [])
    assert one(task, said(status, read)) == (False, None, [Mistake.WRONG_ORDER])
    same = wants(choice("read_file", path="a"), choice("read_file", path="b"), ordered=True)
    turned = said(call("read_file", path="b"), call("read_file", path="a"))
    assert one(same, turned) == (True, False, [Mistake.WRONG_ORDER])


names = st.sampled_from(["read_file", "tag", "status", "unknown"])
offered = st.sampled_from(["read_file", "tag", "status"])
tasks = st.one_of(
    st.just(NO_CALL),
    st.just(ASK),
    st.builds(
        lambda calls, ordered: Task(
            id="t",
            prompt="p",
            ordered=ordered,
            calls=tuple(Expected(any_of=tuple(choice(tool) for tool in one)) for one in calls),
        ),
        st.lists(st.lists(offered, min_size=1, max_size=2, unique=True), min_size=1, max_size=4),
        st.booleans(),
    ),
)
answers = st.builds(
    lambda calls, text, gives, failure: Answer(
        calls=tuple(call(name, args) for name, args in calls),
        text=text,
        gives_arguments=gives,
        failure=failure,
    ),
    st.lists(st.tuples(names, st.sampled_from(["{}", "", '{"names": []}', "[]"])), max_size=5),
    st.sampled_from(["", "Done.", "Which?"]),
    st.booleans(),
    st.sampled_from([None, None, None, "cut"]),
)


@settings(deadline=None, max_examples=300)
@given(tasks, answers)
def test_the_label_is_the_expected_one_exactly_where_the_choice_is_right(
    task: Task, answer: Answer
) -> None:
    found = score(task, BASE, answer)
    assert (found.chosen == found.expected) == found.selected
    assert found.selected == (not found.flaws) or found.filled is False
    assert found.filled is None or found.selected
    assert (found.filled is None) or (found.filled == (not found.flaws))


@settings(deadline=None)
@given(tasks.filter(lambda task: not task.ordered), answers)
def test_the_order_of_calls_says_nothing_where_none_was_asked_for(
    task: Task, answer: Answer
) -> None:
    first = score(task, BASE, answer)
    for calls in permutations(answer.calls[:4]):
        turned = Answer(
            calls=(*calls, *answer.calls[4:]),
            text=answer.text,
            gives_arguments=answer.gives_arguments,
            failure=answer.failure,
        )
        found = score(task, BASE, turned)
        assert (found.selected, found.filled, found.chosen) == (
            first.selected,
            first.filled,
            first.chosen,
        )
