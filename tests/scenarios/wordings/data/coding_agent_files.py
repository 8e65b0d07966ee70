"""The shipped files as plain data, read by YAML alone: a second look at what the readers read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

FOLDER = Path(__file__).parents[4] / "scenarios/faultloop/scenarios/wordings/data/coding_agent"
TASK_FILES = sorted((FOLDER / "tasks").glob("*.yaml"))
VARIANTS = ("terse", "no_when_not", "no_examples", "anonymous", "vague", "swapped")

HAN = re.compile("[\u4e00-\u9fff]")


def data(path: Path) -> dict[str, Any]:
    """What a file says."""
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def edits(variant: str) -> dict[str, dict[str, Any]]:
    """What a variant says of each tool."""
    found: dict[str, dict[str, Any]] = data(FOLDER / f"{variant}.yaml")["tools"]
    return found


def all_tasks() -> Iterator[dict[str, Any]]:
    """Every task, with what its file says of all."""
    for path in TASK_FILES:
        whole = data(path)
        for task in whole["tasks"]:
            yield {"language": "en", "expect": "calls", **whole.get("defaults", {}), **task}


TOOLS: dict[str, dict[str, Any]] = {
    tool["name"]: tool for tool in data(FOLDER / "full.yaml")["tools"]
}
TASKS = list(all_tasks())


class Choice(NamedTuple):
    """One tool that serves a task."""

    task: str
    tool: str
    args: dict[str, Any]
    may_have: dict[str, Any]


def choices(task: dict[str, Any]) -> Iterator[Choice]:
    """All tools that serve in any of its calls."""
    for call in task.get("calls", ()):
        for one in call.get("any_of", [call]):
            yield Choice(task["id"], one["tool"], one.get("args", {}), one.get("may_have", {}))


CHOICES = [one for task in TASKS for one in choices(task)]
