"""A contract under other names: schema, example, and what texts say of them. Pure.

Texts speak of tools and parameters by their names. Where a name changes, texts that are inherited
follow: a name that is no ordinary word (`read_file`, `startLine`, `job2`) wherever it stands whole,
any other only in `backticks`. Texts that a variant writes itself stay as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Names = Mapping[str, str]
"""Old name to new one; only those that change."""

SAME_LEVEL = ("allOf", "anyOf", "oneOf", "if", "then", "else", "not", "dependentSchemas")
"""Keywords whose schemas speak of the same object."""
LISTS = ("required", "propertyOrdering")
"""Keywords that list its properties."""
KEYED = ("properties", "dependentSchemas", "dependentRequired")
"""Keywords that are keyed by its properties."""


def in_text(text: str, names: Names) -> str:
    """The text with the new names in it."""
    if not names or not text:
        return text
    whole = [name for name in names if not name.isalpha() or name[1:] != name[1:].lower()]
    plain = [name for name in names if name not in whole]
    patterns = []
    if whole:
        patterns.append(rf"(?<![\w-])(?:{_any(whole)})(?![\w-])")
    if plain:
        patterns.append(rf"(?<=`)(?:{_any(plain)})(?=`)")
    # Of ASCII: names stand beside Chinese characters without a space.
    return re.sub("|".join(patterns), lambda found: names[found[0]], text, flags=re.ASCII)


def _any(names: list[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


def in_example(example: dict[str, Any] | None, parameters: Names) -> dict[str, Any] | None:
    """The example with its parameters' new names."""
    if example is None:
        return None
    return {parameters.get(name, name): value for name, value in example.items()}


def in_schema(schema: dict[str, Any], parameters: Names) -> dict[str, Any]:
    """The schema of an object whose properties have new names."""
    return _pointed(_level(schema, parameters), parameters) if parameters else schema


def _level(schema: Any, names: Names) -> Any:
    """One schema of the object, with those that speak of the same object."""
    if isinstance(schema, list):
        return [_level(part, names) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = dict(schema)
    for key in LISTS:
        if isinstance(found.get(key), list):
            found[key] = _listed(found[key], names)
    for key in KEYED:
        if isinstance(found.get(key), dict):
            found[key] = {names.get(name, name): part for name, part in found[key].items()}
    if isinstance(found.get("dependentRequired"), dict):
        depends = found["dependentRequired"].items()
        found["dependentRequired"] = {name: _listed(others, names) for name, others in depends}
    for key in SAME_LEVEL:
        if key == "dependentSchemas" and isinstance(found.get(key), dict):
            found[key] = {name: _level(part, names) for name, part in found[key].items()}
        elif key in found:
            found[key] = _level(found[key], names)
    return found


def _listed(listed: Any, names: Names) -> Any:
    return [names.get(name, name) for name in listed] if isinstance(listed, list) else listed


def _pointed(value: Any, names: Names) -> Any:
    """References that lead through a property follow it."""
    if isinstance(value, list):
        return [_pointed(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    found = {key: _pointed(item, names) for key, item in value.items()}
    reference = found.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/properties/"):
        _, _, name, *rest = reference.split("/")
        found["$ref"] = "/".join(["#", "properties", names.get(name, name), *rest])
    return found


DOCS = ("description", "title", "examples")
"""Keywords of a schema that only say something."""
DATA = ("default", "const", "enum")
"""Keywords that hold values, in which nothing is looked for."""
NAMED = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
"""Keywords under which schemas stand by names, which may look like keywords."""


def documented(schema: Any, names: Names) -> Any:
    """The schema with the new names in all of its descriptions."""
    return _docs(schema, lambda key, text: in_text(text, names) if isinstance(text, str) else text)


def undocumented(schema: Any) -> Any:
    """The schema without a word of documentation."""
    return _docs(schema, lambda key, text: None)


def _docs(schema: Any, change: Callable[[str, Any], Any]) -> Any:
    """Every piece of documentation changed; None takes it away."""
    if isinstance(schema, list):
        return [_docs(part, change) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found: dict[str, Any] = {}
    for key, value in schema.items():
        if key in DATA:
            found[key] = value
        elif key in NAMED and isinstance(value, dict):
            found[key] = {name: _docs(part, change) for name, part in value.items()}
        elif key in DOCS:
            if (changed := change(key, value)) is not None:
                found[key] = changed
        else:
            found[key] = _docs(value, change)
    return found
