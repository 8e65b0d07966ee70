"""Finding a subject by the name it ships under or by the path of its subject.toml."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from faultloop.loop.presets import PRESETS
from faultloop.scenarios.subject import BadSubject, Subject
from faultloop.scenarios.subjects.declaration import FILE_NAME, read_declaration
from faultloop.scenarios.subjects.process import ProcessSubject
from faultloop.scenarios.subjects.reference import ReferenceSubject

SHIPPED_IN = "faultloop.bench.subjects"
"""Package data of the bench; named, not imported, because the bench is above."""


def shipped() -> tuple[Subject, ...]:
    """The reference, and every subject that comes as package data, by name."""
    strangers = sorted(
        (declared(file) for file in _shipped_folder().glob(f"*/{FILE_NAME}")),
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


def find(name_or_path: str) -> Subject:
    """A shipped subject by name, or any other by its subject.toml or the folder of it.

    Raises BadSubject where there is none or its declaration is wrong.
    """
    path = Path(name_or_path)
    if path.suffix == ".toml" or "/" in name_or_path or path.is_dir():
        return declared(path)
    subjects = {subject.name: subject for subject in shipped()}
    try:
        return subjects[name_or_path]
    except KeyError:
        raise BadSubject(
            f"there is no subject {name_or_path!r}: choose one of {', '.join(subjects)},"
            f" mutant:NAME, or give the path of a {FILE_NAME}"
        ) from None


def declared(path: Path) -> ProcessSubject:
    """The subject of a subject.toml. Raises BadSubject."""
    declaration = read_declaration(path)
    here = path if path.is_dir() else path.parent
    return ProcessSubject(declaration, here.resolve())


def _shipped_folder() -> Path:
    found = importlib.util.find_spec(SHIPPED_IN)
    if found is None or found.origin is None:
        raise BadSubject(f"{SHIPPED_IN} is not installed, so no subject ships with this bench")
    return Path(found.origin).parent
