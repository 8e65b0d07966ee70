"""Finding a subject by the name it ships under or by the path of its subject.toml.

Either may be followed by `@VERSION`, which asks for another version than the declared one; it is
then a subject of its own in reports, named with its version.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from faultloop.loop.presets import PRESETS
from faultloop.scenarios.subject import BadSubject, Subject
from faultloop.scenarios.subjects.declaration import FILE_NAME, read_declaration
from faultloop.scenarios.subjects.process import ProcessSubject
from faultloop.scenarios.subjects.recipe import is_version
from faultloop.scenarios.subjects.reference import ReferenceSubject

SHIPPED_IN = "faultloop.bench.subjects"
"""Package data of the bench; named, not imported, because the bench is above."""
NEAR_MAX = 4
"""So many names are proposed for one that is none."""


def shipped() -> tuple[Subject, ...]:
    """The reference, and every subject that comes as package data, by name."""
    strangers = sorted(
        (_declared(file, is_shipped=True) for file in shipped_files()),
        key=lambda subject: subject.name,
    )
    return (ReferenceSubject(), *presets(), *strangers)


def presets() -> tuple[Subject, ...]:
    """The reference loop as other loops would have it, `reference:NAME` for each preset."""
    return tuple(
        ReferenceSubject(
            name=f"reference:{name}",
            about=f"The loop of this project, {name}'s way: {preset.describes}.",
            policy=preset.policy,
            preset=name,
        )
        for name, preset in PRESETS.items()
        if name != "reference"
    )


class Asked(NamedTuple):
    """What was typed to name a subject."""

    subject: str
    """A name or a path."""
    version: str
    """Empty: the declared one."""


def asked_for(typed: str) -> Asked:
    """Tell the version from the name or path before it; a path that exists has none."""
    subject, at, version = typed.rpartition("@")
    if at and is_version(version) and not Path(typed).exists():
        return Asked(subject, version)
    return Asked(typed, "")


def find(name_or_path: str) -> Subject:
    """A shipped subject by name, or any other by its subject.toml or the folder of it, each perhaps
    with `@VERSION`.

    Raises BadSubject where there is none, its declaration is wrong, or its version is given.
    """
    asked, version = asked_for(name_or_path)
    path = Path(asked)
    if path.suffix == ".toml" or "/" in asked or path.is_dir():
        return declared(path, version=version)
    subjects = {subject.name: subject for subject in shipped()}
    found = subjects.get(asked)
    if found is None:
        raise BadSubject(_unknown(asked, subjects))
    if version and not isinstance(found, ProcessSubject):
        raise BadSubject(_of_ours(asked))
    return found.at(version) if isinstance(found, ProcessSubject) and version else found


def _of_ours(name: str) -> str:
    return f"{name} is part of this faultloop: it has no other version to choose"


def _unknown(asked: str, subjects: Mapping[str, Subject]) -> str:
    """A sentence that names the nearest, or says that only the version is wrong."""
    name, _, version = asked.rpartition("@")
    if (known := subjects.get(name)) is not None:
        if not isinstance(known, ProcessSubject):
            return _of_ours(name)
        return (
            f"{version!r} is no version of {name}: name one exactly, such as"
            f" {name}@{known.version}, the declared one"
        )
    if near := get_close_matches(asked.partition("@")[0], subjects, n=NEAR_MAX):
        return (
            f"there is no subject {asked!r}: did you mean {' or '.join(near)}?"
            " `faultloop subjects list` names all"
        )
    return (
        f"there is no subject {asked!r}: choose one of {', '.join(subjects)},"
        f" mutant:NAME, or give the path of a {FILE_NAME}"
    )


def declared(path: Path, *, version: str = "") -> ProcessSubject:
    """The subject of a subject.toml, perhaps in another version. Raises BadSubject."""
    subject = _declared(path, is_shipped=False)
    return subject.at(version) if version else subject


def _declared(path: Path, *, is_shipped: bool) -> ProcessSubject:
    declaration = read_declaration(path)
    here = path if path.is_dir() else path.parent
    asked = declaration.name if is_shipped else str(path.absolute())
    return ProcessSubject(declaration, here.resolve(), asked=asked)


def shipped_files() -> list[Path]:
    """Every subject.toml that comes as package data. Raises BadSubject."""
    return sorted(_shipped_folder().glob(f"*/{FILE_NAME}"))


def _shipped_folder() -> Path:
    found = importlib.util.find_spec(SHIPPED_IN)
    if found is None or found.origin is None:
        raise BadSubject(f"{SHIPPED_IN} is not installed, so no subject ships with this bench")
    return Path(found.origin).parent
