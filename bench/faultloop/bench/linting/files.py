"""Tools from a YAML or JSON file, each part with its line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from faultloop.bench.linting.bad_target import BadTarget
from faultloop.loop.contract.lint import Specimen
from faultloop.loop.contract.references import escaped
from faultloop.scenarios.wordings.reading.forms import BadContract, read_entry

LISTS = (
    "tools", "result/tools", "functionDeclarations", "function_declarations",
)  # fmt: skip
"""Where a file that is an object may keep its list: bare, as a JSON-RPC answer, Gemini's."""


def read_file(path: Path) -> list[Specimen]:
    """Read a file of tools. Raises BadTarget."""
    if path.is_dir():
        raise BadTarget(f"{path} is a folder; name the file of tools in it")
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadTarget(f"there is no file {path}") from None
    except OSError as error:
        raise BadTarget(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadTarget(f"{path} cannot be read: it is no UTF-8 text") from error
    document = _parsed(path, text)
    if isinstance(document, Mapping) and "extends" in document:
        return _variant(path)
    lines = _lines(text)
    found: list[Specimen] = []
    for entry, pointer in _entries(path, document):
        line = lines.get(pointer)
        try:
            written = read_entry(entry, pointer)
        except BadContract as error:
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


def _variant(path: Path) -> list[Specimen]:
    """The tools of a wording that says what differs from another."""
    # Half a second, of which lists of tools need nothing.
    from faultloop.scenarios.wordings.reading.wordings import BadWording, specimens

    try:
        return specimens(path)
    except BadWording as error:
        raise BadTarget(str(error)) from error


def _parsed(path: Path, text: str) -> Any:
    try:
        if path.suffix == ".json":
            return json.loads(text, object_pairs_hook=_unique)
        _refuse_twins(yaml.compose(text, Loader=yaml.SafeLoader))
        return yaml.safe_load(text)
    except RecursionError:
        raise BadTarget(f"{path} is nested too deeply for a file of tools") from None
    except _Twin as twin:
        raise BadTarget(f"{path}{twin}") from None
    except yaml.YAMLError as error:
        told = " ".join(str(error).split())
        raise BadTarget(f"{path} is no YAML: {told}") from error
    except json.JSONDecodeError as error:
        raise BadTarget(f"{path} is no JSON: {error}") from error
    except ValueError:  # the only other one that there is
        raise BadTarget(f"{path}: a number in it has too many digits to be read") from None


class _Twin(Exception):
    """A key that an object has twice: which of the two holds is the reader's guess."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _Twin(f": an object has the key {key!r} twice; each reader takes another one")
        found[key] = value
    return found


def _refuse_twins(root: Any) -> None:
    for node in _nodes(root):
        seen: set[object] = set()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            name = key.value if isinstance(key, yaml.ScalarNode) else None
            if name in seen:
                line = key.start_mark.line + 1
                raise _Twin(f":{line}: the key {name!r} stands here twice; keep one of them")
            if name not in (None, "<<"):
                seen.add(name)


def _nodes(root: Any) -> Iterator[Any]:
    """Every node once, however often it is referred to."""
    todo, seen = [] if root is None else [root], set[int]()
    while todo:
        node = todo.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        if isinstance(node, yaml.MappingNode):
            todo.extend(part for pair in node.value for part in pair)
        elif isinstance(node, yaml.SequenceNode):
            todo.extend(node.value)


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
    except (yaml.YAMLError, RecursionError):
        return {}
    lines: dict[str, int] = {}
    todo: list[tuple[Any, str]] = [] if root is None else [(root, "")]
    seen: set[int] = set()
    while todo:
        node, pointer = todo.pop()
        if id(node) in seen:  # a YAML alias; it may even lead to what it stands in
            continue
        seen.add(id(node))
        lines.setdefault(pointer, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                inner = f"{pointer}/{escaped(str(key.value))}"
                lines[inner] = key.start_mark.line + 1
                todo.append((value, inner))
        elif isinstance(node, yaml.SequenceNode):
            todo.extend((item, f"{pointer}/{place}") for place, item in enumerate(node.value))
    return lines
