"""BFCL's types as JSON Schema.

Its schemas are JSON Schema but for the words for types, which are those of Python, Java and
JavaScript. In the latter two a value may always be an expression or the name of a variable, so
there a text is admitted beside the type. `any` admits all. A default of null admits null.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]  # a JSON Schema is data of the wire

TYPES: Mapping[str, str | None] = {
    "string": "string", "String": "string", "char": "string",
    "integer": "integer", "int": "integer", "byte": "integer", "short": "integer",
    "long": "integer", "Bigint": "integer",
    "float": "number", "double": "number", "number": "number",
    "boolean": "boolean", "Boolean": "boolean", "bool": "boolean",
    "array": "array", "Array": "array", "ArrayList": "array", "tuple": "array", "list": "array",
    "Set": "array", "Queue": "array", "Stack": "array",
    "dict": "object", "HashMap": "object", "Hashtable": "object", "object": "object",
    "any": None, "Any": None, "": None,
}  # fmt: skip
"""Its word to JSON Schema's; None: any value."""

KEPT = ("description", "default", "enum", "minimum", "maximum", "minItems", "maxItems")
"""Keywords that mean the same. `optional` is no keyword of JSON Schema, and `format` names none of
its formats; both are left out, and `required` says what the first would."""


def schema_of(written: Mapping[str, Any], language: str) -> Schema:
    """The schema of a function's parameters. Raises KeyError: a type that nobody knows."""
    return _converted(written, is_foreign=language != "python", is_top=True)


def _converted(written: Mapping[str, Any], *, is_foreign: bool, is_top: bool = False) -> Schema:
    kind = TYPES[written.get("type", "any")]
    found: Schema = {}
    if kind is not None:
        also = ["string"] if is_foreign and not is_top and kind != "string" else []
        if not is_top and "default" in written and written["default"] is None:
            also.append("null")
        found["type"] = [kind, *also] if also else kind
        if "null" in also and isinstance(written.get("enum"), list):
            written = {**written, "enum": [*written["enum"], *_null_beside(written["enum"])]}
    found |= {key: written[key] for key in KEPT if key in written and not is_top}
    if kind == "object":
        inner = written.get("properties") or {}
        if inner or is_top:
            found["properties"] = {
                name: _converted(one, is_foreign=is_foreign) for name, one in inner.items()
            }
        if required := [name for name in written.get("required") or () if name in inner]:
            found["required"] = required
    if kind == "array" and isinstance(written.get("items"), Mapping):
        found["items"] = _converted(written["items"], is_foreign=is_foreign)
    return found


def _null_beside(values: list[Any]) -> list[None]:
    return [] if None in values else [None]
