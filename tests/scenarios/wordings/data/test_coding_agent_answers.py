"""Answers that a careful engineer might give as well, or that only look right: the matchers of the
shipped tasks are neither too tight nor too loose."""

from __future__ import annotations

import json
from typing import Any

import pytest

from faultloop.loop.message import Call
from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.reading.tasks import load_tasks
from faultloop.scenarios.wordings.reading.wordings import load_wording
from faultloop.scenarios.wordings.scoring import score

from .coding_agent_files import TASKS, choices

WORDING = load_wording("coding_agent/full")
READ = {task.id: task for task in load_tasks("coding_agent", WORDING).tasks}
FIRST = {task["id"]: [one.tool for one in choices(task)][:1] for task in TASKS}

CALLS_RIGHT: tuple[tuple[str, dict[str, Any]], ...] = (
    ("show-named-file", {"path": "./src/app.py", "start_line": 1, "line_count": 400}),
    ("todo-without-case", {"pattern": r"\btodo\b", "files": "*.py", "ignore_case": True}),
    ("todo-without-case", {"pattern": "TODO|todo", "files": "*.py"}),
    ("todo-without-case", {"pattern": "(?i)todo", "files": "*.py"}),
    ("plain-text-with-a-bracket", {"pattern": r"items\[0\]", "under": "lib/", "files": "*"}),
    ("file-with-part-of-a-name", {"pattern": "*[Ii]nvoice*"}),
    ("zh-hard-coded-address", {"pattern": r"\b10\.0\.3\.17\b", "under": "deploy"}),
    ("zh-hard-coded-address", {"pattern": "10.0.3.17", "under": "deploy"}),
    ("zh-file-names-with-a-word", {"pattern": "*[cC]oupon*", "under": "server"}),
    ("zh-file-names-with-a-word", {"pattern": "server/**/*coupon*"}),
    ("install-in-a-subfolder", {"command": "npm ci", "directory": "./frontend/"}),
    ("install-in-a-subfolder", {"command": "npm ci --prefix frontend", "timeout_seconds": 600}),
    ("local-changes-not-a-pull-request", {"command": "git --no-pager diff HEAD"}),
    ("local-changes-not-a-pull-request", {"command": "git diff && git diff --cached"}),
    ("zh-recent-commits", {"command": "git log --oneline | head -n 5"}),
    ("zh-recent-commits", {"command": "git log -5 --pretty='%h %s'", "timeout_seconds": 30}),
    ("flaky-single-job", {"run": 66120, "job": "e2e-firefox", "scope": "all"}),
    ("retry-the-failed-one", {"run": 12001, "scope": "failed"}),
    ("reminder-across-summer-time", {"at": "2026-03-30T07:00:00Z", "text": "Nightly numbers"}),
    ("zh-remind-at-london-time", {"at": "2026-07-01T17:00:00+08:00", "text": "看公告"}),
    ("utc-now", {}),
)

CALLS_WRONG: tuple[tuple[str, dict[str, Any]], ...] = (
    ("show-named-file", {"path": "src/app.py", "line_count": 100}),
    ("todo-without-case", {"pattern": "TODO", "files": "*.py"}),
    ("plain-text-with-a-bracket", {"pattern": "items[0]", "under": "lib"}),
    ("code-not-tracker", {"pattern": "gateway"}),
    ("zh-file-names-with-a-word", {"pattern": "*coupon*"}),
    ("install-in-a-subfolder", {"command": "npm ci"}),
    ("local-changes-not-a-pull-request", {"command": "git diff --cached"}),
    ("zh-recent-commits", {"command": "git log -15"}),
    ("flaky-single-job", {"run": 66120, "scope": "failed"}),
    ("retry-the-failed-one", {"run": 12001}),
    ("new-file-with-one-line", {"path": ".nvmrc", "content": "v22\n"}),
    ("change-a-constant", {"path": "src/limits.py", "old_text": "25", "new_text": "100"}),
    ("reminder-across-summer-time", {"at": "2026-03-30T09:00:00+01:00", "text": "Night"}),
    ("checks-of-a-pull-request", {"ref": "118"}),
)


def is_right(task: str, args: dict[str, Any]) -> bool:
    """Whether a call of the task's first tool with these arguments is right."""
    call = Call(id="c1", name=FIRST[task][0], arguments=json.dumps(args))
    found = score(READ[task], WORDING, Answer(calls=(call,)))
    assert found.selected
    return found.filled is True


@pytest.mark.parametrize(("task", "args"), CALLS_RIGHT)
def test_another_spelling_of_the_right_answer_is_right(task: str, args: dict[str, Any]) -> None:
    assert is_right(task, args)


@pytest.mark.parametrize(("task", "args"), CALLS_WRONG)
def test_what_only_looks_like_the_right_answer_is_wrong(task: str, args: dict[str, Any]) -> None:
    assert not is_right(task, args)
