"""Task files: YAML with a list of tasks, or JSON lines with one task each.

Any error is one BadTask, whose text is one sentence: `path:line: field: what is wrong and what to
write`. What is read here can be scored: with a wording at hand, its tools and parameters are there,
and each task's own answer is right (`validating`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from faultloop.loop import strict_json
from faultloop.loop.strict_json import NotJSON
from faultloop.scenarios.files import BadFile, document_of, field_name, text_of, topmost
from faultloop.scenarios.places import Document, Json, Place
from faultloop.scenarios.sentences import Complaint, nearest
from faultloop.scenarios.wordings.labels import Label
from faultloop.scenarios.wordings.reading import shipped
from faultloop.scenarios.wordings.reading.shapes import Misshapen, below, shaped
from faultloop.scenarios.wordings.task import Task
from faultloop.scenarios.wordings.validating import complaints
from faultloop.scenarios.wordings.wording import Wording

BYTES_MAX = 50_000_000
"""A hundred thousand tasks are smaller."""


class BadTask(BadFile):
    """A task file is wrong. The text is for its author and complete."""


class Defaults(BaseModel):
    """What holds for all tasks of a file that do not say otherwise."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
    system: str = ""
    language: Label = "en"
    tools: tuple[str, ...] = ()
    cluster: Label = ""
    tags: tuple[Label, ...] = ()
    checked: str = ""
    expect: Literal["calls", "no call", "ask back"] = "calls"


class Head(BaseModel):
    """A task file, but for its tasks."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, populate_by_name=True, use_attribute_docstrings=True
    )
    schema_: Literal[1] = Field(alias="schema")
    about: str = ""
    """For people; no model reads it."""
    defaults: Defaults = Defaults()


class Placed(NamedTuple):
    """A task with where it stands."""

    task: Task
    path: Path
    document: Document
    place: Place
    entry: dict[str, Json]
    """As it is written there."""

    def bad(self, found: Complaint) -> BadTask:
        """The error about a part of this task."""
        return _bad(self.path, self.document, *below(self.place, [_as_written(found, self.entry)]))


class Tasks(NamedTuple):
    """What was read from one file, or from a folder of them."""

    placed: tuple[Placed, ...]

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks, in the order of the files."""
        return tuple(one.task for one in self.placed)

    def fit(self, wording: Wording) -> None:
        """Look whether all of them can be scored in this wording. Raises BadTask."""
        for wrong in complaints(self.tasks, wording):
            raise self.placed[wrong.at].bad(wrong.complaint)


def load_tasks(reference: str | Path, wording: Wording | None = None) -> Tasks:
    """Tasks from a file, a folder of files, or the name of a shipped set. Raises BadTask."""
    path = _path(reference)
    files = _files(path) if path.is_dir() else [path]
    placed = tuple(task for one in files for task in _read(one))
    _unique(placed)
    found = Tasks(placed)
    if wording is not None:
        found.fit(wording)
    return found


def _path(reference: str | Path) -> Path:
    path = Path(reference)
    if isinstance(reference, Path) or shipped.is_file(reference) or path.is_dir():
        return path
    try:
        return shipped.tasks(reference)
    except shipped.NotShipped as error:
        raise BadTask(path, 1, "", str(error)) from None


def _files(folder: Path) -> list[Path]:
    found = sorted(one for one in folder.rglob("*") if one.suffix in shipped.SUFFIXES)
    if not found:
        raise BadTask(folder, 1, "", "there is no file of tasks in it, no *.yaml and no *.jsonl")
    return found


def _read(path: Path) -> Iterator[Placed]:
    text = text_of(path, BadTask, noun="file of tasks", bytes_max=BYTES_MAX)
    if path.suffix == ".jsonl":
        yield from _lines(text.removeprefix("\ufeff"), path)
        return
    document = document_of(text, path, BadTask)
    data = document.data
    if not isinstance(data, dict):
        raise BadTask(path, 1, "", "a file of tasks is a mapping; begin with 'schema: 1'")
    entries = data.get("tasks")
    try:
        head = shaped(Head, {key: value for key, value in data.items() if key != "tasks"}, _instead)
    except Misshapen as error:
        raise _bad(path, document, *error.found) from None
    if not isinstance(entries, list) or not entries:
        raise _bad(path, document, Complaint(("tasks",), "it must be a list with a task in it"))
    defaults = head.defaults.model_dump(mode="json", exclude_unset=True)
    for at, entry in enumerate(entries):
        yield _task(path, document, ("tasks", at), entry, defaults)


def _lines(text: str, path: Path) -> Iterator[Placed]:
    found = False
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        found = True
        value = strict_json.read(line)
        if isinstance(value, NotJSON):
            raise BadTask(path, number, "", f"this line is no JSON: {value.reason}")
        if (key := strict_json.repeated_key(line)) is not None:
            raise BadTask(path, number, key, "it stands twice in one object; keep one of the two")
        yield _task(path, Document(value.value, {(): number}), (), value.value, {})
    if not found:
        raise BadTask(path, 1, "", "there is no task in it; write one JSON object a line")


def _task(
    path: Path, document: Document, place: Place, entry: Json, defaults: dict[str, Json]
) -> Placed:
    if not isinstance(entry, dict):
        sentence = "a task is a mapping; begin with 'id: ...'"
        raise _bad(path, document, Complaint(place, sentence))
    try:
        task = shaped(Task, {**defaults, **_whole(entry)}, _instead)
    except Misshapen as error:
        raise _bad(
            path, document, *below(place, [_as_written(one, entry) for one in error.found])
        ) from None
    if found := list(wrong_alone(task)):
        raise _bad(path, document, *below(place, [_as_written(one, entry) for one in found]))
    return Placed(task, path, document, place, entry)


INSTEAD = {
    "tool": "a call stands in a list: write 'calls:' and '- tool: ...' below it",
    "args": "a call stands in a list: write 'calls:' and '- {tool: ..., args: {...}}' below it",
    "call": "calls stand in a list: write 'calls:' and '- tool: ...' below it",
    "expected": "write 'calls: [...]', 'expect: no call' or 'expect: ask back'",
    "wording": "tasks go with any wording; name it where they are asked (`faultloop compare`)",
    "messages": "what was said before stands in 'before: [...]', the last message in 'prompt: ...'",
}
"""Fields that people expect in a task, or in a file of them, and what there is instead."""


def _instead(place: Place) -> str | None:
    name = str(place[-1])
    if len(place) == 3 and name in ("tool", "args", "may_have"):
        return "it stands beside any_of; put it into an item of that, or leave any_of out"
    return INSTEAD.get(name) if len(place) == 1 else None


def _whole(entry: dict[str, Json]) -> dict[str, Json]:
    """The entry with each call written out: `{tool: ...}` is short for one choice."""
    calls = entry.get("calls")
    if not isinstance(calls, list):
        return entry
    return {**entry, "calls": [{"any_of": [one]} if _is_short(one) else one for one in calls]}


def _is_short(call: Json) -> bool:
    return isinstance(call, dict) and "any_of" not in call


def _as_written(found: Complaint, entry: dict[str, Json]) -> Complaint:
    """The place without the steps that the short form of a call leaves out."""
    place = found.place
    calls = entry.get("calls")
    if len(place) >= 4 and place[0] == "calls" and place[2:4] == ("any_of", 0):
        at = place[1]
        if isinstance(calls, list) and isinstance(at, int) and _is_short(calls[at]):
            return Complaint((*place[:2], *place[4:]), found.sentence)
    return found


def wrong_alone(task: Task) -> Iterator[Complaint]:
    """What is wrong with a task, whatever the wording."""
    if (task.expect == "calls") != bool(task.calls):
        sentence = (
            "it is missing; write 'calls: [{tool: ...}]', 'expect: no call' or 'expect: ask back'"
            if task.expect == "calls"
            else f"no call belongs beside 'expect: {task.expect}'; keep one of the two"
        )
        yield Complaint(("calls",), sentence)
    if task.ordered and len(task.calls) < 2:
        yield Complaint(("ordered",), "only several calls have an order; leave it out")
    if len(set(task.tools)) < len(task.tools):
        yield Complaint(("tools",), "a tool stands twice in it; keep one of the two")
    for at, call in enumerate(task.calls):
        for number, choice in enumerate(call.any_of):
            place = ("calls", at, "any_of", number)
            if task.tools and choice.tool not in task.tools:
                hint = nearest(choice.tool, task.tools, noun="tools of this task")
                sentence = f"{choice.tool!r} is not among the tools that are offered; {hint}"
                yield Complaint((*place, "tool"), sentence)
            for name in choice.args.keys() & choice.may_have.keys():
                sentence = "it stands in args as well; keep one of the two"
                yield Complaint((*place, "may_have", name), sentence)


def _unique(placed: tuple[Placed, ...]) -> None:
    taken: dict[str, Placed] = {}
    for one in placed:
        if (other := taken.get(one.task.id)) is not None:
            line = other.document.line((*other.place, "id"))
            sentence = f"{one.task.id!r} is the id of {other.path}:{line} too; ids are unique"
            raise one.bad(Complaint(("id",), sentence))
        taken[one.task.id] = one


def _bad(path: Path, document: Document, *found: Complaint) -> BadTask:
    first = topmost(document, list(found))
    return BadTask(path, document.line(first.place), field_name(first.place), first.sentence)
