"""Tools from a YAML or JSON file, each part with its line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from faultloop.bench.linting.bad_target import BadTarget
from faultloop.bench.linting.forms import read_entry
from faultloop.loop.contract.lint import Specimen
from faultloop.loop.contract.references import escaped

LISTS = (
    "tools", "result/tools", "functionDeclarations", "function_declarations",
)  # fmt: skip
"""Where a file that is an object may keep its list: bare, as a JSON-RPC answer, Gemini's."""


def read_file(path: Path) -> list[Specimen]:
    """Read a file of tools. Raises BadTarget."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadTarget(f"{path} cannot be read: {error}") from error
    document = _parsed(path, text)
    lines = _lines(text)
    found: list[Specimen] = []
    for entry, pointer in _entries(path, document):
        line = lines.get(pointer)
        try:
            written = read_entry(entry, pointer)
        except BadTarget as error:
            raise BadTarget(f"{path}:{line or 1}: {pointer or '/'}: {error}") from error
        found.append(
            Specimen(
                contract=written.contract,
                pointers={"": pointer, **written.pointers},
                source=str(path),
                line=line,
                lines=lines,
            )
        )
    return found


def _parsed(path: Path, text: str) -> Any:
    try:
        return json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except yaml.YAMLError as error:
        told = " ".join(str(error).split())
        raise BadTarget(f"{path} is no YAML: {told}") from error
    except ValueError as error:
        raise BadTarget(f"{path} is no JSON: {error}") from error


def _entries(path: Path, document: Any) -> Iterator[tuple[Any, str]]:
    """Every tool with its pointer: of a list, of an object that holds one, or alone."""
    if isinstance(document, Mapping):
        for place in LISTS:
            inner: Any = document
            for step in place.split("/"):
                inner = inner.get(step) if isinstance(inner, Mapping) else None
            if isinstance(inner, Sequence) and not isinstance(inner, str):
                yield from _listed(path, inner, f"/{place}")
                return
        yield document, ""
        return
    if not isinstance(document, list):
        raise BadTarget(f"{path} holds no list of tools, but {type(document).__name__}")
    yield from _listed(path, document, "")


def _listed(path: Path, entries: Sequence[Any], below: str) -> Iterator[tuple[Any, str]]:
    for place, entry in enumerate(entries):
        pointer = f"{below}/{place}"
        inner = entry.get("functionDeclarations") if isinstance(entry, Mapping) else None
        if isinstance(inner, list):  # Gemini lists lists of them
            yield from _listed(path, inner, f"{pointer}/functionDeclarations")
        else:
            yield entry, pointer


def _lines(text: str) -> dict[str, int]:
    """JSON pointer to line, from 1; nothing where YAML cannot read what JSON can (tabs)."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return {}
    lines: dict[str, int] = {}
    todo: list[tuple[Any, str]] = [] if root is None else [(root, "")]
    while todo:
        node, pointer = todo.pop()
        lines.setdefault(pointer, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                inner = f"{pointer}/{escaped(str(key.value))}"
                lines[inner] = key.start_mark.line + 1
                todo.append((value, inner))
        elif isinstance(node, yaml.SequenceNode):
            todo.extend((item, f"{pointer}/{place}") for place, item in enumerate(node.value))
    return lines
