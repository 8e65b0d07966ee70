"""Where a subject's files and programs are, and the placeholders of a subject.toml that say so."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import faultloop


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """What the placeholders stand for."""

    here: Path
    """`{here}`: the folder of the subject.toml."""
    python: str = sys.executable
    """`{python}`: the Python of its own environment where it has one, else the bench's."""
    env: str = ""
    """`{env}`: the folder of its installation."""
    node: str = "node"
    """`{node}`: its own Node.js where it has one, else the one on PATH."""

    def filled(self, text: str) -> str:
        """`text` with the placeholders replaced; `{faultloop}` is the folders that the bench
        itself was imported from, as a PYTHONPATH."""
        return (
            text.replace("{python}", self.python)
            .replace("{here}", str(self.here))
            .replace("{env}", self.env)
            .replace("{node}", self.node)
            .replace("{faultloop}", os.pathsep.join(_own_roots()))
        )


def file_beside(word: str, here: Path) -> Path | None:
    """The file below or beside `here` that a word of an argv names; None where it names none."""
    if word.startswith(("-", "/")):
        return None
    try:
        return beside if (beside := here / word).is_file() else None
    except OSError:  # no name of a file at all, such as a program that is given in the argv
        return None


def _own_roots() -> list[str]:
    return [str(Path(folder).parent) for folder in faultloop.__path__]
