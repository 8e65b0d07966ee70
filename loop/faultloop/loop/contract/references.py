"""Reading a JSON Schema: types, references within it, JSON pointers.

A schema is foreign text: nothing of it is ever fetched, a reference that leads nowhere is read as
one that says nothing, and one that goes round in circles is left after `HOPS_MAX` steps.
"""

from __future__ import annotations

from typing import Any

HOPS_MAX = 10
"""How many references and alternatives in a row are followed."""


def types_of(schema: object) -> list[str]:
    """The declared types, none where the schema says nothing of them."""
    declared = schema.get("type", []) if isinstance(schema, dict) else []
    return [declared] if isinstance(declared, str) else list(declared)


def escaped(name: str) -> str:
    """A name as one step of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def target(reference: object, root: dict[str, Any]) -> object:
    """What a reference within the schema points at; nothing is ever fetched."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return {}
    found: object = root
    for part in reference[1:].split("/")[1:]:
        step = part.replace("~1", "/").replace("~0", "~")
        found = found.get(step, {}) if isinstance(found, dict) else {}
    return found


def followed(schema: object, root: dict[str, Any]) -> object:
    """The schema itself, or what its reference leads to."""
    for _ in range(HOPS_MAX):
        if not isinstance(schema, dict) or "$ref" not in schema:
            break
        schema = target(schema["$ref"], root)
    return schema


def is_object(schema: object, root: dict[str, Any]) -> bool:
    """Whether the schema is one of objects."""
    found = followed(schema, root)
    return isinstance(found, dict) and ("properties" in found or "object" in types_of(found))


def admits_null(schema: object, root: dict[str, Any], hops: int = HOPS_MAX) -> bool:
    """Whether null may stand where this schema does; one that goes round in circles admits none."""
    if not isinstance(schema, dict):
        return schema is not False
    if hops == 0:
        return False
    if "$ref" in schema:
        return admits_null(target(schema["$ref"], root), root, hops - 1)
    if "enum" in schema or "const" in schema:
        return None in schema.get("enum", [schema.get("const", 0)])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return any(admits_null(part, root, hops - 1) for part in schema[key])
    if "allOf" in schema and "type" not in schema:
        return all(admits_null(part, root, hops - 1) for part in schema["allOf"])
    return "type" not in schema or "null" in types_of(schema)
