"""What is shipped with faultloop, by name: `coding_agent/full` is a wording, `coding_agent` its
tasks. Every set is a folder of `wordings/data`: wordings beside each other, tasks in `tasks`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from faultloop.scenarios.sentences import nearest

SUFFIXES = (".yaml", ".yml", ".json", ".jsonl")
"""How the name of a file ends; whatever ends otherwise is the name of something shipped."""
TASKS = "tasks"


class NotShipped(LookupError):
    """There is nothing of that name. The text is a sentence's end."""


@cache
def folder() -> Path:
    """Where the sets are."""
    return Path(str(files("faultloop.scenarios.wordings") / "data"))


def wordings() -> tuple[str, ...]:
    """The names of all wordings."""
    return tuple(sorted(f"{one.parent.name}/{one.stem}" for one in folder().glob("*/*.yaml")))


def task_sets() -> tuple[str, ...]:
    """The names of all sets of tasks."""
    return tuple(sorted(one.parent.name for one in folder().glob(f"*/{TASKS}") if one.is_dir()))


def wording(name: str) -> Path:
    """The file of a wording. Raises NotShipped."""
    if name not in wordings():
        raise NotShipped(_sentence("wording", name, wordings()))
    return folder() / f"{name}.yaml"


def tasks(name: str) -> Path:
    """The folder of a set of tasks. Raises NotShipped."""
    if name not in task_sets():
        raise NotShipped(_sentence("set of tasks", name, task_sets()))
    return folder() / name / TASKS


def is_file(reference: str) -> bool:
    """Whether the name of a file was given, rather than of something that is shipped."""
    return reference.endswith(SUFFIXES)


def _sentence(noun: str, name: str, known: tuple[str, ...]) -> str:
    hint = nearest(name, known, noun="names")
    return (
        f"no {noun} called {name!r} is shipped, and a file's name ends in {', '.join(SUFFIXES)};"
        f" {hint}"
    )
