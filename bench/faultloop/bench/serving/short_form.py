"""The short form of a script: a list of steps, each with what is said, called and wrong.

    - say: Hello.
    - calls: [{tool: read_file, args: {path: a.txt}}]
      fault: {kind: rate_limited}

Nothing else is needed: the tools are whatever the client offers. A step is that of a scenario file
(`say`, `calls`, `finish`, `repeat`) and so are the faults, which strike at their own step.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import Field, ValidationError

from faultloop.fakes.faults import KINDS, AnyFault
from faultloop.fakes.faults.base import ToolFault
from faultloop.fakes.hosting import HostedScript
from faultloop.scenarios.places import Document, Json, Place
from faultloop.scenarios.plan import written_out
from faultloop.scenarios.reading import first_wrong
from faultloop.scenarios.rules import fault_in_step
from faultloop.scenarios.scenario import Model, StepLine
from faultloop.scenarios.sentences import Complaint, complaint, describe, nearest

FAULTS = ("fault", "faults")
FIELDS = (*StepLine.model_fields, *FAULTS)


class Steps(Model):
    """The list as it is in a scenario file."""

    script: Annotated[tuple[StepLine, ...], Field(min_length=1)]
    faults: tuple[Annotated[AnyFault, Field(discriminator="kind")], ...] = ()


class _Sorted(NamedTuple):
    """A list of steps taken apart."""

    data: dict[str, Json]
    """As `Steps` wants it."""
    places: list[Place]
    """For each fault, where in the list it stands."""


def hosted(document: Document, path: Path) -> HostedScript:
    """The script of a document that is a list. Raises BadScenario."""
    assert isinstance(document.data, list)
    if not document.data:
        raise first_wrong(path, document, [Complaint((), "it has no steps; write '- say: ...'")])
    if found := list(_complaints(document.data)):
        raise first_wrong(path, document, found)
    data, places = _sorted(document.data)
    try:
        steps = Steps.model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        said = [complaint(each, data) for each in error.errors(include_url=False)]
        placed = [Complaint(_placed(one.place, places), one.sentence) for one in said]
        raise first_wrong(path, document, placed) from None
    script = HostedScript(name=path.name, steps=written_out(steps.script), faults=steps.faults)
    wrong = [
        one
        for fault, place in zip(steps.faults, places, strict=True)
        for one in fault_in_step(
            fault, (*place, "kind"), int(fault.at.split()[1]), list(script.steps)
        )
    ]
    if wrong:
        raise first_wrong(path, document, wrong)
    return script


def _complaints(steps: list[Json]) -> Iterator[Complaint]:
    """What is wrong with the form, before faults and steps are looked at for themselves."""
    for number, step in enumerate(steps):
        if not isinstance(step, dict):
            sentence = f"a step is a mapping such as 'say: ...', not {describe(step)}"
            yield Complaint((number,), sentence)
            continue
        for field in step:
            if field not in FIELDS:
                hint = nearest(field, FIELDS, noun="fields")
                yield Complaint((number, field), f"there is no such field; {hint}")
        if "faults" in step and not isinstance(step["faults"], list):
            sentence = f"it must be a list, not {describe(step['faults'])}; one alone is 'fault'"
            yield Complaint((number, "faults"), sentence)
            continue
        for place, fault in _faults(number, step):
            yield from _wrong_fault(place, fault)


def _wrong_fault(place: Place, fault: Json) -> Iterator[Complaint]:
    if not isinstance(fault, dict):
        sentence = f"a fault is a mapping such as 'kind: rate_limited', not {describe(fault)}"
        yield Complaint(place, sentence)
        return
    kind = fault.get("kind")
    if isinstance(kind, str) and kind in KINDS and issubclass(KINDS[kind], ToolFault):
        sentence = (
            f"{kind} strikes at a tool of a world, and a list of steps has none; "
            "write a scenario file ('schema: 1') with a world"
        )
        yield Complaint((*place, "kind"), sentence)
    if "at" in fault:
        yield Complaint((*place, "at"), "a fault of a step strikes there; leave 'at' out")


def _faults(number: int, step: dict[str, Json]) -> Iterator[tuple[Place, Json]]:
    if "fault" in step:
        yield (number, "fault"), step["fault"]
    several = step.get("faults")
    if isinstance(several, list):
        for index, fault in enumerate(several):
            yield (number, "faults", index), fault


def _sorted(steps: list[Json]) -> _Sorted:
    lines: list[Json] = []
    faults: list[Json] = []
    places: list[Place] = []
    before = 0
    for number, step in enumerate(steps):
        assert isinstance(step, dict)
        lines.append({field: value for field, value in step.items() if field not in FAULTS})
        repeat = step.get("repeat", 1)
        times = repeat if isinstance(repeat, int) and 1 <= repeat <= 500 else 1
        for place, fault in _faults(number, step):
            assert isinstance(fault, dict)
            for said in range(times):  # each of the steps that say the same
                faults.append({"at": f"step {before + said + 1}", **fault})
                places.append(place)
        before += times
    return _Sorted({"script": lines, "faults": faults}, places)


def _placed(place: Place, faults: list[Place]) -> Place:
    """A place in `Steps` as a place in the list."""
    match place:
        case ("script", *rest):
            return tuple(rest)
        case ("faults", int(index), *rest):
            return (*faults[index], *rest)
        case _:
            return ()


def as_text(steps: list[Any]) -> str:
    """A list of Python values as a document that reads back as the same. Raises TypeError."""
    return "[" + ",\n".join(json.dumps(step) for step in steps) + "]"
