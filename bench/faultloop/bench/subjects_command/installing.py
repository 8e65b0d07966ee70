"""What `faultloop subjects install` and `remove` do: subjects are chosen, then made one by one.

A glob never chooses proprietary software: that is installed only by who names it. One that cannot
be installed does not keep the others from it; the exit code tells that there was one.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Sequence

from rich.console import Console

from faultloop.bench.subjects_command.listing import megabytes
from faultloop.bench.subjects_command.progress import progress
from faultloop.scenarios.subject import BadSubject, Subject
from faultloop.scenarios.subjects import installing
from faultloop.scenarios.subjects.finding import find, shipped
from faultloop.scenarios.subjects.installed import folder_of, installed
from faultloop.scenarios.subjects.process import ProcessSubject
from faultloop.scenarios.subjects.recipe import Recipe

FINE = 0
BAD_INPUT = 2


def install_all(asked: Sequence[str], *, again: bool) -> int:
    """Install what was asked for and return the exit code. Raises BadSubject."""
    out, err = Console(), Console(stderr=True)
    code = FINE
    for subject in _chosen(asked, err):
        recipe = _recipe(subject)
        if subject.declaration.is_proprietary:
            _say(err, f"{recipe.title} is proprietary: its publisher's licence is yours to accept")
        try:
            _say(out, installed_now(recipe, err, again=again))
        except installing.CannotInstall as error:
            _say(err, f"faultloop: {error}", style="red")
            code = BAD_INPUT
        except KeyboardInterrupt:
            _say(err, f"{recipe.title} is not installed: it was interrupted", style="red")
            raise
    return code


def not_installed(subject: Subject) -> Recipe | None:
    """The recipe of a subject that is not here; None where it is, or needs no installation."""
    recipe = subject.declaration.recipe() if isinstance(subject, ProcessSubject) else None
    return recipe if recipe is not None and not installed(recipe) else None


def installed_now(recipe: Recipe, err: Console, *, again: bool = False) -> str:
    """Install one with its progress, and say how it went. Raises CannotInstall."""
    if not again and (there := installed(recipe)):
        return f"{recipe.title} is installed already: {megabytes(there.size_bytes)}"
    with progress(err, f"installing {recipe.title}") as told:
        made = installing.install(recipe, again=again, told=told)
    where = folder_of(recipe)
    return f"{recipe.title}: {megabytes(made.size_bytes)} in {made.seconds:.0f} s, {where}"


def remove_all(asked: Sequence[str]) -> int:
    """Remove what was asked for and return the exit code. Raises BadSubject."""
    out, err = Console(), Console(stderr=True)
    code = FINE
    for subject in _chosen(asked, err):
        recipe = _recipe(subject)
        try:
            if folder_of(recipe).exists():
                _say(out, f"{recipe.title} is removed: {megabytes(installing.remove(recipe))}")
            else:
                _say(err, f"faultloop: {recipe.title} is not installed", style="red")
                code = BAD_INPUT
        except installing.CannotInstall as error:
            _say(err, f"faultloop: {error}", style="red")
            code = BAD_INPUT
    return code


def _chosen(asked: Sequence[str], err: Console) -> Iterator[ProcessSubject]:
    """What is meant, each once, and each of them found before the first is installed."""
    subjects: dict[str, ProcessSubject] = {}
    for one in asked:
        found = _matching(one, err) if any(sign in one for sign in "*?[") else [_named(one)]
        subjects |= {subject.asked: subject for subject in found}
    return iter(subjects.values())


def _named(name: str) -> ProcessSubject:
    subject = find(name)
    if isinstance(subject, ProcessSubject) and subject.declaration.install is not None:
        return subject
    needs = subject.declaration.needs if isinstance(subject, ProcessSubject) else ()
    more = "".join(f"; {need.hint}" for need in needs if not need.is_met())
    raise BadSubject(f"{name} has no [install] table: there is nothing to install{more}")


def _matching(glob: str, err: Console) -> list[ProcessSubject]:
    found = [
        subject
        for subject in shipped()
        if isinstance(subject, ProcessSubject)
        and subject.declaration.install is not None
        and fnmatch.fnmatchcase(subject.name, glob)
    ]
    if not found:
        raise BadSubject(f"no subject that can be installed is called {glob}")
    for subject in found:
        if subject.declaration.is_proprietary:
            _say(err, f"{subject.name} is proprietary: it is left out where it is not named")
    return [subject for subject in found if not subject.declaration.is_proprietary]


def _recipe(subject: ProcessSubject) -> Recipe:
    recipe = subject.declaration.recipe()
    assert recipe is not None, "only those that have one are chosen"
    return recipe


def _say(console: Console, sentence: str, style: str | None = None) -> None:
    console.print(sentence, style=style, markup=False, highlight=False, soft_wrap=True)
