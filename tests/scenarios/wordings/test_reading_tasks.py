"""Task files: YAML and JSON lines, their short forms, and how wrong ones are told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.scenarios.wordings.workshop import BASE

from faultloop.scenarios.wordings.matchers import Exact
from faultloop.scenarios.wordings.matchers import Path as PathMatcher
from faultloop.scenarios.wordings.reading.tasks import BadTask, load_tasks
from faultloop.scenarios.wordings.task import Choice, Expected, Task

GOOD = """\
schema: 1
about: A few tasks.
defaults: {system: You are a coder., tags: [easy], language: zh}
tasks:
  - id: short
    prompt: Show me src/app.py.
    tools: [read_file, tag]
    calls:
      - {tool: read_file, args: {path: {path: src/app.py}}}
  - id: long
    prompt: Read or tag.
    language: en
    calls:
      - any_of:
          - {tool: read_file, args: {path: a}, may_have: {limit: {number: 3}}}
          - {tool: tag, args: {names: {unordered: [x, y]}}}
      - tool: status
  - {id: thanks, prompt: Thanks!, expect: no call, tags: []}
"""


def test_short_forms_and_defaults_are_written_out(tmp_path: Path) -> None:
    path = tmp_path / "tasks.yaml"
    path.write_text(GOOD)
    short, long, thanks = load_tasks(path, BASE).tasks
    assert short == Task(
        id="short",
        prompt="Show me src/app.py.",
        system="You are a coder.",
        tags=("easy",),
        language="zh",
        tools=("read_file", "tag"),
        calls=(
            Expected(
                any_of=(Choice(tool="read_file", args={"path": PathMatcher(path="src/app.py")}),)
            ),
        ),
    )
    assert [len(call.any_of) for call in long.calls] == [2, 1]
    assert long.calls[0].any_of[0].args == {"path": Exact(exact="a")}
    assert (long.label, long.language) == ("read_file + status", "en")
    assert (thanks.label, thanks.tags) == ("(no call)", ())


def test_json_lines_are_the_same_tasks(tmp_path: Path) -> None:
    (tmp_path / "tasks.yaml").write_text(GOOD)
    tasks = load_tasks(tmp_path / "tasks.yaml").tasks
    lines = [json.dumps(task.model_dump(mode="json"), ensure_ascii=False) for task in tasks]
    (tmp_path / "tasks.jsonl").write_text("\n\n".join(lines) + "\n")
    found = load_tasks(str(tmp_path / "tasks.jsonl"), BASE)
    assert found.tasks == tasks


def test_a_folder_is_all_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GOOD)
    (tmp_path / "b.jsonl").write_text('{"id": "x", "prompt": "p", "expect": "ask back"}')
    assert [task.id for task in load_tasks(tmp_path).tasks] == ["short", "long", "thanks", "x"]
    (tmp_path / "c.jsonl").write_text('\n{"id": "x", "prompt": "p", "expect": "ask back"}')
    with pytest.raises(BadTask) as caught:
        load_tasks(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path}/c.jsonl:2: id: 'x' is the id of {tmp_path}/b.jsonl:1 too; ids are unique"
    )


ONE = "schema: 1\ntasks:\n- id: a\n  prompt: p\n"
CALL = f"{ONE}  calls:\n  - "

WRONG = (
    ("schema: 1", "1: tasks: it must be a list with a task in it"),
    ("schema: 2\ntasks: []", "1: schema: it must be 1, not the number 2"),
    ("schema: 1\ntaks: []", "2: taks: there is no such field; "),
    ("schema: 1\nwording: a.yaml\ntasks: []", "2: wording: tasks go with any wording; "),
    ("schema: 1\ntasks: [5]", "2: tasks[0]: a task is a mapping; begin with 'id: ...'"),
    (
        ONE,
        "3: tasks[0].calls: it is missing; write 'calls: [{tool: ...}]', 'expect: no call' or"
        " 'expect: ask back'",
    ),
    (
        f"{ONE}  expect: no calls",
        "5: tasks[0].expect: the text 'no calls' is none of calls, no call, ask back",
    ),
    (
        f"{ONE}  expect: no call\n  calls: [{{tool: tag}}]",
        "6: tasks[0].calls: no call belongs beside 'expect: no call'; keep one of the two",
    ),
    (
        f"{ONE}  tool: tag",
        "5: tasks[0].tool: a call stands in a list: write 'calls:' and '- tool: ...' below it",
    ),
    (
        f"{CALL}any_of: [{{tool: tag}}]\n    tool: tag",
        "7: tasks[0].calls[0].tool: it stands beside any_of; put it into an item of that, or leave"
        " any_of out",
    ),
    (
        f"{CALL}{{tool: tag, args: {{names: {{one_of: [1, {{number: x}}]}}}}}}",
        "6: tasks[0].calls[0].args.names.one_of[1].number: it must be a number, not the text 'x'",
    ),
    (f"{ONE}  cals: []", "5: tasks[0].cals: there is no such field; did you mean 'calls'?"),
    (
        f"{CALL}{{tol: tag}}",
        "6: tasks[0].calls[0].tol: there is no such field; did you mean 'tool'?",
    ),
    (
        f"{CALL}any_of:\n    - tool: tag\n      arg: {{}}",
        "8: tasks[0].calls[0].any_of[0].arg: there is no such field; did you mean 'args'?",
    ),
    (
        f"{CALL}tool: read_file\n    args:\n      path: {{paht: x, path: y}}",
        "8: tasks[0].calls[0].args.path.paht: a matcher of the kind 'path' has no option 'paht'; ",
    ),
    (
        f"{CALL}tool: tag\n    args:\n      names:\n      - a\n      - {{regex: '('}}",
        "10: tasks[0].calls[0].args.names[1]: this is no regular expression: ",
    ),
    (
        f"{CALL}tool: tag\n    args: {{names: [a]}}\n    may_have: {{names: [a]}}",
        "8: tasks[0].calls[0].may_have.names: it stands in args as well; keep one of the two",
    ),
    (
        f"{ONE}  tools: [tag]\n  calls: [{{tool: read_file}}]",
        "6: tasks[0].calls[0].tool: 'read_file' is not among the tools that are offered; ",
    ),
    (
        f"{ONE}  tools: [tag, tag]\n  expect: no call",
        "5: tasks[0].tools: a tool stands twice in it",
    ),
    (
        f"{ONE}  ordered: true\n  calls: [{{tool: tag}}]",
        "5: tasks[0].ordered: only several calls have an order; leave it out",
    ),
    (f'{ONE}  expect: no call\n  tags: ["a\\nb"]', "6: tasks[0].tags[0]: it holds '\\n', which"),
    (f"{ONE}  id: b", "5: tasks[0].id: it is already on line 3; keep one of the two"),
    (
        f"{ONE}  expect: no call\n- id: a\n  prompt: q\n  expect: no call",
        "6: tasks[1].id: 'a' is the id of {path}:3 too; ids are unique",
    ),
    # What only the wording knows.
    (
        f"{CALL}{{tool: red_file}}",
        "6: tasks[0].calls[0].tool: the wording 'base' has no tool 'red_file'; did you mean"
        " 'read_file'?",
    ),
    (
        f"{CALL}{{tool: read_file, args: {{pth: a}}}}",
        "6: tasks[0].calls[0].args.pth: read_file has no parameter 'pth'; did you mean 'path'?",
    ),
    (
        f"{CALL}{{tool: read_file}}",
        "6: tasks[0].calls[0].args: read_file requires 'path'; say here what it must be",
    ),
    (
        f"{CALL}tool: read_file\n    args:\n      path: 5",
        "8: tasks[0].calls[0].args.path: the task's own answer would be called wrong: path: the"
        " tool's schema refuses it: ",
    ),
    (
        f"{CALL}tool: read_file\n    args: {{path: a}}\n    may_have:\n      limit: three",
        "9: tasks[0].calls[0].may_have.limit: the task's own answer would be called wrong: limit: ",
    ),
    (
        f"{CALL}tool: read_file\n    args: {{path: {{file: a}}}}",
        "7: tasks[0].calls[0].args.path: the task's own answer would be called wrong: path: ",
    ),
    (
        f"{ONE}  tools: [tag, tga]\n  expect: no call",
        "5: tasks[0].tools[1]: the wording 'base' has no tool 'tga'; did you mean 'tag'?",
    ),
)


@pytest.mark.parametrize(("text", "sentence"), WRONG)
def test_what_is_wrong_is_told_in_a_sentence_with_its_line(
    text: str, sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(text)
    with pytest.raises(BadTask) as caught:
        load_tasks(path, BASE)
    assert str(caught.value).startswith(f"{path}:{sentence.replace('{path}', str(path))}")


LINES: tuple[tuple[str, str], ...] = (
    ("", "1: there is no task in it; write one JSON object a line"),
    ('{"id": "a", "prompt": "p", "expect": "no call"}\n{"id": ', "2: this line is no JSON: "),
    ('{"id": "a", "id": "b"}', "1: id: it stands twice in one object; keep one of the two"),
    ("[]", "1: a task is a mapping; begin with 'id: ...'"),
    ('{"id": "a"}', "1: prompt: it is missing; write 'prompt: ...'"),
)


def test_json_lines_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"id": "x", "prompt": "p", "expect": "no call"}', encoding="utf-8-sig")
    assert [task.id for task in load_tasks(path).tasks] == ["x"]


@pytest.mark.parametrize(("text", "sentence"), LINES)
def test_json_lines_are_told_by_line(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    with pytest.raises(BadTask) as caught:
        load_tasks(path)
    assert str(caught.value).startswith(f"{path}:{sentence}")


@pytest.mark.parametrize("reference", ["nobody", "missing.yaml", Path("missing.jsonl")])
def test_what_is_not_there_is_said(reference: Any) -> None:
    with pytest.raises(BadTask, match=r":1: (no set of tasks called|it cannot be read)"):
        load_tasks(reference)


def test_an_empty_folder_holds_no_tasks(tmp_path: Path) -> None:
    with pytest.raises(BadTask, match="no file of tasks"):
        load_tasks(tmp_path)
