"""regressions.toml: which bug of which loop a scenario shows, and in which of its versions.

Only the shape is judged here, and what this bench knows by itself: names of checks and scenarios.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_core import ErrorDetails

from faultloop.fakes.dialects import DIALECTS
from faultloop.scenarios.checks import CHECKS
from faultloop.scenarios.reading import catalogue
from faultloop.scenarios.subjects.recipe import is_version

SHIPPED = Path(__file__).parents[1] / "regressions.toml"
"""The public bugs that this bench shows."""
SCENARIOS = "regressions"
"""Beside the file: the folder of scenarios that are in no catalogue."""


class BadRegressions(Exception):
    """The file is wrong; the text is one sentence a line, each with its place."""


class Regression(BaseModel):
    """One bug, and the two versions that tell it from its absence."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^[a-z0-9]+([.-][a-z0-9]+)*$")]
    """Project and issue number; `found-...` where it was found here."""
    source: str = ""
    """Where it is told in public; of what was found here, what bears on it, if anything does."""
    about: Annotated[str, Field(min_length=1)]
    """What goes wrong, in a sentence."""
    subject: Annotated[str, Field(min_length=1)]
    """Shipped name, or the path of a subject.toml from the folder of this file."""
    scenario: Annotated[str, Field(min_length=1)]
    """Of the catalogue, or of the folder `regressions` beside this file."""
    streaming: Annotated[bool, Field(strict=True)]
    dialect: str = "openai_chat"
    check: str
    """Broken on `affected` and held on `fixed`."""
    affected: str
    fixed: str | None = None
    """Left out where it is still open."""

    @field_validator("check", mode="after")
    @classmethod
    def _is_a_check(cls, name: str) -> str:
        if name not in CHECKS:
            raise ValueError(f"{name!r} is no check; there are {', '.join(CHECKS)}")
        return name

    @field_validator("dialect", mode="after")
    @classmethod
    def _is_a_dialect(cls, name: str) -> str:
        if name not in DIALECTS:
            raise ValueError(f"{name!r} is no dialect; there are {', '.join(DIALECTS)}")
        return name

    @field_validator("affected", "fixed", mode="after")
    @classmethod
    def _is_a_version(cls, version: str | None) -> str | None:
        if version is not None and not is_version(version):
            raise ValueError(f"{version!r} is not exactly one version")
        return version

    @field_validator("source", mode="after")
    @classmethod
    def _is_an_address(cls, source: str) -> str:
        if source and not source.startswith("https://"):
            raise ValueError(f"{source!r} is no address that begins with https://")
        return source


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    regression: Annotated[tuple[Regression, ...], Field(min_length=1)]


def read(file: Path) -> tuple[Regression, ...]:
    """All of a file, in its order. Raises BadRegressions."""
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadRegressions(f"{file}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # the decoder's own errors are ValueErrors
        raise BadRegressions(f"{file}: not TOML: {error}") from None
    try:
        found = _File.model_validate(table).regression
    except ValidationError as error:
        raise BadRegressions(
            "\n".join(f"{file}: {_sentence(one, table)}" for one in error.errors())
        ) from None
    _refuse_twins(file, found)
    for one in found:
        scenario_of(one, file)
    return found


def _refuse_twins(file: Path, found: tuple[Regression, ...]) -> None:
    twins = [name for name, count in Counter(one.id for one in found).items() if count > 1]
    if twins:
        raise BadRegressions(f"{file}: {', '.join(twins)}: there are two of this id; rename one")


def _sentence(error: ErrorDetails, table: Mapping[str, Any]) -> str:
    known: Iterable[str] = _File.model_fields
    match error["loc"]:
        case ("regression", int(number), *rest):
            known, one = Regression.model_fields, table["regression"][number]
            name = one.get("id") if isinstance(one, dict) else None
            place = ".".join([str(name or f"regression {number + 1}"), *map(str, rest)])
        case loc:
            place = ".".join(map(str, loc)) or "the whole"
    match error["type"]:
        case "missing":
            return f"{place}: this key is missing"
        case "extra_forbidden":
            return f"{place}: there is no such key; known are {', '.join(known)}"
        case "value_error":
            return f"{place}: {error['msg'].removeprefix('Value error, ')}"
        case _:
            said = f"{error['msg'][:1].lower()}{error['msg'][1:]}"
            return f"{place}: {error['input']!r} will not do: {said}"


def scenario_of(one: Regression, file: Path) -> str:
    """Its scenario as `--scenario` takes it: a path, or a name. Raises BadRegressions."""
    own = file.parent / SCENARIOS / f"{one.scenario}.yaml"
    if own.is_file():
        return str(own)
    if all(one.scenario != scenario.name for scenario in catalogue()):
        raise BadRegressions(
            f"{file}: {one.id}.scenario: {one.scenario!r} is neither in the catalogue nor {own}"
        )
    return one.scenario


def subject_at(one: Regression, version: str, file: Path) -> str:
    """Its subject in a version, as `--subject` takes it."""
    place = file.parent / one.subject
    is_path = "/" in one.subject or one.subject.endswith(".toml")
    return f"{place.resolve() if is_path else one.subject}@{version}"
