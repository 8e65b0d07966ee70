"""Mutants: wrong loops, at least one for every check and drill, that prove that it can fail.

Each is the reference loop with one promise broken by a small override: one file in this folder,
found by looking, so that a new mutant is a new file with a `MUTANT` and no list is to be edited.
`python -m faultloop.bench.mutants` plays them and prints who catches whom.
"""

from __future__ import annotations

import difflib
import pkgutil
from importlib import import_module

from faultloop.bench.mutants.mutant import Mutant
from faultloop.scenarios.subject import BadSubject, Subject

MACHINERY = frozenset({"__main__", "in_a_process", "kills", "mutant", "proof"})
"""Modules of this folder that play mutants or make them; what else has no `MUTANT` is what several
of them are made of."""

NEAR_MAX = 4


def _found() -> dict[str, Mutant]:
    names = {info.name for info in pkgutil.iter_modules(__path__)} - MACHINERY
    mutants: dict[str, Mutant] = {}
    for name in sorted(names):
        mutant: Mutant | None = getattr(import_module(f"{__name__}.{name}"), "MUTANT", None)
        if mutant is None:
            continue
        if mutant.name != name.replace("_", "-"):
            raise ValueError(f"{name}.py holds the mutant {mutant.name}: they must have one name")
        mutants[mutant.name] = mutant
    return mutants


MUTANTS: dict[str, Mutant] = _found()
"""All mutants by name."""


def subject(name: str) -> Subject:
    """The subject `mutant:NAME`. Raises BadSubject where there is none."""
    if name not in MUTANTS:
        near = difflib.get_close_matches(name, MUTANTS, n=NEAR_MAX, cutoff=0.0)
        raise BadSubject(
            f"there is no mutant {name!r}; of the {len(MUTANTS)} that there are, nearest are "
            f"{', '.join(near)}"
        )
    return MUTANTS[name].subject()
