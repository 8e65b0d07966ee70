"""A task of a whole run: what is asked, the world it is asked in, and how that should end.

Nothing is said of calls: whoever gets there is right, by whichever way. Files that `done` does not
name must be as they were, and what changes anything but files must not have happened more often
than it says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from faultloop.fakes.faults import AnyFault
from faultloop.fakes.ledger import Effect
from faultloop.fakes.world.spec import WorldSpec
from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.wordings.labels import Label, Name
from faultloop.scenarios.wordings.matchers.kind import Matcher, shown
from faultloop.scenarios.wordings.matchers.reading import Written
from faultloop.scenarios.wordings.task import Task

FILE_TOOLS = frozenset({"write_file", "append_file", "edit_file", "delete_files"})
"""What these leave is judged by the files; how often they were called only where `effects` says."""
STEPS_MAX = 12


class Lines(BaseModel):
    """Unknown fields are errors, values are fixed."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Done(Lines):
    """What the world must be like at the end."""

    files: dict[str, Written] = Field(default_factory=dict)
    """Path to what its content must be; `null`: there is no such file."""
    effects: dict[str, Annotated[int, Field(ge=0)] | tuple[dict[str, Written], ...]] = Field(
        default_factory=dict
    )
    """Tool to how often it took effect, exactly; or to the arguments of each time, in their order:
    those that are named must match."""


class RunTask(Lines):
    """One task."""

    id: Name
    prompt: str = Field(min_length=1)
    system: str = ""
    language: Label = "en"
    tools: tuple[str, ...] = ()
    """Those that are offered; left out, all that this world has."""
    cluster: Label = ""
    tags: tuple[Label, ...] = ()
    world: WorldSpec
    """What exists before, as in scenarios."""
    faults: tuple[Annotated[AnyFault, Field(discriminator="kind")], ...] = ()
    """Trouble with its tools, as in scenarios."""
    done: Done
    steps_max: Annotated[int, Field(ge=1, le=50)] = STEPS_MAX
    """Requests to the model."""
    checked: str = ""

    def as_task(self) -> Task:
        """For reports: what was asked, and what had to be at the end."""
        wanted = [f"{path} is {one.says}" for path, one in self.done.files.items()]
        wanted += [f"{tool} took effect {_count(one)} x" for tool, one in self.done.effects.items()]
        says = "; ".join(wanted) or "nothing has changed"
        return Task(
            id=self.id,
            prompt=self.prompt,
            system=self.system,
            language=self.language,
            cluster=self.cluster,
            tags=self.tags,
            checked=f"Done when {says}.",
        )


def wrong_at_the_end(
    task: RunTask, files: Mapping[str, str], effects: Sequence[Effect]
) -> Iterator[str]:
    """What is not as it should be, a sentence each; nothing: it is done."""
    before = task.world.files or {}
    for path, matcher in task.done.files.items():
        content = files.get(path)
        if not matcher.matches(content):
            yield f"{path}: expected {matcher.says}, and it is {shown(content)}"
    for path in sorted(before.keys() | files.keys()):
        if path not in task.done.files and before.get(path) != files.get(path):
            yield f"{path} was not to change, and it is {shown(files.get(path))}"
    made: dict[str, list[dict[str, JSONValue]]] = {}
    for effect in effects:
        made.setdefault(effect.tool, []).append(json.loads(effect.arguments))
    for tool in sorted(made.keys() | task.done.effects.keys()):
        wanted = task.done.effects.get(tool, None if tool in FILE_TOOLS else 0)
        if wanted is not None:
            yield from _wrong_effects(tool, wanted, made.get(tool, []))


Wanted = int | tuple[dict[str, Matcher], ...]


def _wrong_effects(
    tool: str, wanted: Wanted, made: Sequence[Mapping[str, JSONValue]]
) -> Iterator[str]:
    if len(made) != _count(wanted):
        yield f"{tool} was to take effect {_count(wanted)} times, and did {len(made)} times"
    elif not isinstance(wanted, int):
        for matchers, args in zip(wanted, made, strict=True):
            for name, matcher in matchers.items():
                value = args.get(name)
                if not matcher.matches(value):
                    yield f"{tool}: {name}: expected {matcher.says}, and {shown(value)} came"


def _count(wanted: Wanted) -> int:
    return wanted if isinstance(wanted, int) else len(wanted)
