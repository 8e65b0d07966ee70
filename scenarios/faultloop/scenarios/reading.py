"""Scenario files: from YAML to a scenario, and back.

Any error is one BadScenario, whose text is one sentence: `path:line: field: what is wrong and what
to write`. The scenario's author is at fault, never the bench.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import as_file
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from faultloop.scenarios import files, schema
from faultloop.scenarios.files import BadFile, document_of, field_name, topmost
from faultloop.scenarios.places import Document, parse
from faultloop.scenarios.rules import complaints
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.sentences import Complaint, complaint

BYTES_MAX = 1_000_000
"""People review scenarios; what is bigger is something else, and slow to parse."""

RECORDED = b"# Recorded by faultloop"
"""How the files begin that `faultloop record` writes."""
RECORDED_BYTES_MAX = 50_000_000
"""Nobody reviews the bytes of a stream."""


class BadScenario(BadFile):
    """A scenario file is wrong. The text is for its author and complete."""


def load(path: Path) -> Scenario:
    """Read one file. Raises BadScenario for the first thing, from the top, that is wrong."""
    return loads(text_of(path), path)


def text_of(path: Path) -> str:
    """A file's text. Raises BadScenario."""
    try:
        most = _bytes_max(path) if path.is_file() else BYTES_MAX
    except OSError:  # said below, with its reason
        most = BYTES_MAX
    return files.text_of(path, BadScenario, noun="scenario", bytes_max=most)


def _bytes_max(path: Path) -> int:
    with path.open("rb") as file:
        is_recorded = file.read(len(RECORDED)) == RECORDED
    return RECORDED_BYTES_MAX if is_recorded else BYTES_MAX


def loads(text: str, path: Path) -> Scenario:
    """Read a scenario from text; `path` is only named in errors."""
    document = document_of(text, path, BadScenario)
    if not isinstance(document.data, dict):
        raise BadScenario(path, 1, "", "a scenario is a mapping; begin with 'schema: 1'")
    try:
        # By way of JSON: strict there still takes a list for a tuple, but no "3" for a 3.
        scenario = Scenario.model_validate_json(json.dumps(document.data), strict=True)
    except ValidationError as error:
        found = [complaint(each, document.data) for each in error.errors(include_url=False)]
        raise first_wrong(path, document, found) from None
    if found := list(complaints(scenario)):
        raise first_wrong(path, document, found)
    return scenario


def load_folder(path: Path) -> tuple[Scenario, ...]:
    """All `*.yaml` files below a folder, by name. Raises BadScenario, also for equal names."""
    if not path.is_dir():
        raise BadScenario(path, 1, "", "it is no folder; name a folder of scenario files")
    return _by_name((file, load(file)) for file in sorted(path.rglob("*.yaml")))


@cache
def catalogue() -> tuple[Scenario, ...]:
    """The scenarios that are shipped, by name."""
    with as_file(resources("faultloop.scenarios") / "catalogue") as folder:
        return load_folder(folder)


def dump(scenario: Scenario, *, fast: bool = False) -> str:
    """YAML that reads back as an equal scenario; what is at its default is left out.

    `fast`: by libyaml, where it is there, which folds lines in a way of its own.
    """
    data: dict[str, Any] = scenario.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    data = {"schema": scenario.schema_, **data}
    if scenario.faults:
        data["faults"] = [
            {"at": fault.at, "kind": fault.kind, **dumped}
            for fault, dumped in zip(scenario.faults, data["faults"], strict=True)
        ]
    dumper = _FastDumper if fast and yaml.__with_libyaml__ else _Dumper
    text = yaml.dump(data, Dumper=dumper, sort_keys=False, allow_unicode=True, width=98)
    return text.removesuffix("...\n")  # libyaml's own end: more may be written below


def json_schema() -> dict[str, Any]:
    """The JSON Schema of scenario files, for editors."""
    return schema.json_schema()


def _by_name(found: Iterable[tuple[Path, Scenario]]) -> tuple[Scenario, ...]:
    taken: dict[str, tuple[Path, Scenario]] = {}
    for path, scenario in found:
        if scenario.name in taken:
            other = taken[scenario.name][0]
            sentence = f"{scenario.name!r} is the name of {other} too; names are unique"
            line = parse(path.read_text(encoding="utf-8")).line(("name",))
            raise BadScenario(path, line, "name", sentence)
        taken[scenario.name] = (path, scenario)
    return tuple(scenario for _, (_, scenario) in sorted(taken.items()))


def first_wrong(path: Path, document: Document, found: list[Complaint]) -> BadScenario:
    """The error that names the first thing, from the top, of those that are wrong."""
    first = topmost(document, found)
    return BadScenario(path, document.line(first.place), field_name(first.place), first.sentence)


class _Dumper(yaml.SafeDumper):
    """Block style throughout, long texts as they read."""


if yaml.__with_libyaml__:

    class _FastDumper(yaml.CSafeDumper):
        """The same in C."""

else:
    _FastDumper = _Dumper  # type: ignore[misc,assignment]


def _represent_text(dumper: yaml.representer.SafeRepresenter, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)
_FastDumper.add_representer(str, _represent_text)
