"""Files of whole runs: YAML with a list of them.

Any error is one BadRun, whose text is one sentence: `path:line: field: what is wrong and what to
write`. What is read here can be played: the world makes sense, its tools are there, and its faults
are of tools; a model that is put to the test has troubles of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from faultloop.fakes.faults.base import ANY_TOOL, ToolFault, parse_site
from faultloop.fakes.world.world import tool_names
from faultloop.scenarios.files import BadFile, document_of, field_name, text_of, topmost
from faultloop.scenarios.places import Document, Json, Place
from faultloop.scenarios.sentences import Complaint, nearest
from faultloop.scenarios.wordings.reading import shipped
from faultloop.scenarios.wordings.reading.shapes import Misshapen, below, shaped
from faultloop.scenarios.wordings.runs.task import RunTask
from faultloop.scenarios.wordings.wording import Wording

BYTES_MAX = 5_000_000
RUNS = "runs"
"""Folder of the runs of a set that is shipped."""


class BadRun(BadFile):
    """A file of runs is wrong. The text is for its author and complete."""


class Head(BaseModel):
    """A file of runs, but for its runs."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    schema_: Literal[1] = Field(alias="schema")
    about: str = ""
    """For people; no model reads it."""
    system: str = ""
    """What holds for all that do not say otherwise."""


class Placed(NamedTuple):
    """A task with where it stands."""

    task: RunTask
    path: Path
    document: Document
    place: Place

    def bad(self, found: Complaint) -> BadRun:
        """The error about a part of it."""
        return _bad(self.path, self.document, *below(self.place, [found]))


class Runs(NamedTuple):
    """What was read."""

    placed: tuple[Placed, ...]

    @property
    def tasks(self) -> tuple[RunTask, ...]:
        """The tasks, in the order of the files."""
        return tuple(one.task for one in self.placed)

    def fit(self, wording: Wording) -> None:
        """Look whether the wording has the tools of every world. Raises BadRun."""
        for one in self.placed:
            for tool in offered(one.task):
                if tool not in wording.contracts:
                    hint = nearest(tool, wording.contracts, noun="tools")
                    sentence = f"the wording {wording.name!r} has no tool {tool!r}; {hint}"
                    raise one.bad(Complaint(("world",), sentence))


def offered(task: RunTask) -> tuple[str, ...]:
    """The tools of a task, in the world's order."""
    there = tool_names(task.world)
    return tuple(tool for tool in there if tool in task.tools) if task.tools else there


def load_runs(reference: str | Path) -> Runs:
    """Runs from a file, a folder of files, or the name of a shipped set. Raises BadRun."""
    path = _path(reference)
    paths = sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
    if not paths:
        raise BadRun(path, 1, "", "there is no file of runs in it, no *.yaml")
    placed = tuple(one for file in paths for one in _read(file))
    taken: set[str] = set()
    for one in placed:
        if one.task.id in taken:
            raise one.bad(Complaint(("id",), f"{one.task.id!r} is taken; ids are unique"))
        taken.add(one.task.id)
    return Runs(placed)


def _path(reference: str | Path) -> Path:
    path = Path(reference)
    if isinstance(reference, Path) or shipped.is_file(reference) or path.is_dir():
        return path
    sets = sorted(one.parent.name for one in shipped.folder().glob(f"*/{RUNS}"))
    if reference not in sets:
        hint = nearest(reference, sets, noun="names")
        raise BadRun(path, 1, "", f"no set of runs called {reference!r} is shipped; {hint}")
    return shipped.folder() / reference / RUNS


def _read(path: Path) -> Iterator[Placed]:
    text = text_of(path, BadRun, noun="file of runs", bytes_max=BYTES_MAX)
    document = document_of(text, path, BadRun)
    data = document.data
    if not isinstance(data, dict):
        raise BadRun(path, 1, "", "a file of runs is a mapping; begin with 'schema: 1'")
    try:
        head = shaped(Head, {key: one for key, one in data.items() if key != "runs"})
    except Misshapen as error:
        raise _bad(path, document, *error.found) from None
    entries = data.get("runs")
    if not isinstance(entries, list) or not entries:
        raise _bad(path, document, Complaint(("runs",), "it must be a list with a run in it"))
    for at, entry in enumerate(entries):
        yield _run(path, document, ("runs", at), entry, head)


def _run(path: Path, document: Document, place: Place, entry: Json, head: Head) -> Placed:
    if not isinstance(entry, dict):
        raise _bad(path, document, Complaint(place, "a run is a mapping; begin with 'id: ...'"))
    try:
        task = shaped(RunTask, {"system": head.system, **entry})
    except Misshapen as error:
        raise _bad(path, document, *below(place, error.found)) from None
    if found := list(_wrong(task)):
        raise _bad(path, document, *below(place, found))
    return Placed(task, path, document, place)


def _wrong(task: RunTask) -> Iterator[Complaint]:
    """What is wrong with a run, whatever the wording."""
    try:
        there = tool_names(task.world)
    except ValueError as error:
        yield Complaint(("world",), str(error))
        return
    for part, names in (("tools", task.tools), ("done", tuple(task.done.effects))):
        for name in names:
            if name not in there:
                hint = nearest(name, there, noun="tools of this world")
                yield Complaint((part,), f"this world has no tool {name!r}; {hint}")
    for at, fault in enumerate(task.faults):
        if not isinstance(fault, ToolFault):
            sentence = (
                f"{fault.kind!r} strikes a scripted model, and this one is real; take one of tools"
            )
            yield Complaint(("faults", at), sentence)
            continue
        try:
            site = parse_site(fault.at)
        except ValueError as error:
            yield Complaint(("faults", at, "at"), str(error))
            continue
        if site.tool not in (*there, ANY_TOOL):
            hint = nearest(site.tool or "", there, noun="tools of this world")
            sentence = f"it strikes 'tool NAME' or 'any tool' of this world; {hint}"
            yield Complaint(("faults", at, "at"), sentence)


def _bad(path: Path, document: Document, *found: Complaint) -> BadRun:
    first = topmost(document, list(found))
    return BadRun(path, document.line(first.place), field_name(first.place), first.sentence)
