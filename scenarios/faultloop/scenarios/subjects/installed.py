"""What is installed, and where: one folder for each version of a subject, below the cache folder.

An installation is whole once its marker is there, which is written last; without it, or with that
of another recipe, the folder is nobody's and is made anew. Virtual environments cannot be moved, so
everything is made in place.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from faultloop.scenarios.subject import SubjectUnusable
from faultloop.scenarios.subjects.places import Places
from faultloop.scenarios.subjects.recipe import Recipe

CACHE = "FAULTLOOP_CACHE"
MARKER = "installed.json"


class Installed(msgspec.Struct, frozen=True, kw_only=True):
    """The marker: what an installation is, as it was made."""

    fingerprint: str
    """Of the recipe that it was made from."""
    name: str
    version: str
    node: str = ""
    """Its own Node.js, relative to the folder."""
    python: dict[str, str] = {}
    """The Python packages that are there, with their versions."""
    npm: dict[str, str] = {}
    """The npm packages that are there, with their versions."""
    size_bytes: int = 0
    seconds: float = 0.0
    """How long it took."""


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """$FAULTLOOP_CACHE, or `faultloop` below the user's cache folder."""
    if chosen := environment.get(CACHE):
        return Path(chosen).absolute()
    of_user = Path(environment.get("XDG_CACHE_HOME", ""))
    # The specification says that a relative one is to be ignored.
    return (of_user if of_user.is_absolute() else Path.home() / ".cache") / "faultloop"


def folder_of(recipe: Recipe) -> Path:
    """Where a recipe is installed."""
    return cache_folder() / "subjects" / recipe.name / recipe.version


def marker(env: Path) -> Installed | None:
    """The marker of a folder; None where there is none that can be read."""
    try:
        return msgspec.json.decode((env / MARKER).read_bytes(), type=Installed)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None


def installed(recipe: Recipe) -> Installed | None:
    """The installation of a recipe; None where it is not installed, or not whole any more."""
    env = folder_of(recipe)
    found = marker(env)
    if found is None or found.fingerprint != recipe.fingerprint():
        return None
    programs = [env / "bin" / "python"] if recipe.requirements else []
    programs += [env / found.node] if found.node else []
    return found if all(os.access(program, os.X_OK) for program in programs) else None


def versions(name: str) -> list[str]:
    """The versions of a subject that have an installation, of whichever recipe."""
    folder = cache_folder() / "subjects" / name
    return sorted(path.parent.name for path in folder.glob(f"*/{MARKER}"))


def places_of(recipe: Recipe, here: Path, *, asked: str) -> Places:
    """What the placeholders of an installed subject stand for.

    `asked` is what its user types to name it. Raises SubjectUnusable where it is not installed.
    """
    found = installed(recipe)
    if found is None:
        raise SubjectUnusable(why_not_installed(recipe, asked=asked))
    env = folder_of(recipe)
    own = Places(here=here)
    return Places(
        here=here,
        python=str(env / "bin" / "python") if recipe.python else own.python,
        env=str(env),
        node=str(env / found.node) if found.node else own.node,
    )


def why_not_installed(recipe: Recipe, *, asked: str) -> str:
    """A sentence with what to run."""
    how = "is not installed"
    if marker(folder_of(recipe)) is not None:
        how = "was installed from another recipe, or is not whole any more"
    others = ", ".join(version for version in versions(recipe.name) if version != recipe.version)
    here = f" (installed are {others})" if others else ""
    return f"{recipe.title} {how}{here}: run `faultloop subjects install {asked}`"
