"""The way back from a strict form: nulls that stand for "left out" (SPEC C11).

Where a strict decoder makes every property required, a model writes null for an optional one that
it would have left out. Those nulls are taken away before the arguments are validated, so that the
tool gets what its declared schema describes; a null that the declared schema admits stays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from faultloop.loop.contract.references import (
    HOPS_MAX,
    admits_null,
    escaped,
    followed,
    is_object,
    target,
    types_of,
)


class LeftOut(NamedTuple):
    """Arguments as their declared schema means them."""

    args: dict[str, Any]
    places: tuple[str, ...]
    """JSON pointers of the nulls that are gone."""


def nulls_left_out(args: dict[str, Any], schema: dict[str, Any]) -> LeftOut:
    """The arguments without the nulls that only a strict form asked for.

    A null goes where its property is optional and the declared schema does not admit null.
    """
    gone: list[str] = []
    return LeftOut(_cleaned(args, schema, schema, "", gone), tuple(gone))


def _cleaned(
    value: Any, schema: object, root: dict[str, Any], place: str, gone: list[str]
) -> Any:  # a JSON value: as wide as the schema lets it be
    schema = _resolved(schema, root)
    if isinstance(value, list):
        items = schema.get("items")
        return [
            _cleaned(item, items, root, f"{place}/{number}", gone)
            for number, item in enumerate(value)
        ]
    if not isinstance(value, dict):
        return value
    properties, required = schema.get("properties") or {}, schema.get("required") or ()
    kept: dict[str, Any] = {}
    for name, part in value.items():
        where = f"{place}/{escaped(name)}"
        declared = properties.get(name)
        optional = declared is not None and name not in required
        if part is None and optional and not admits_null(declared, root):
            gone.append(where)
        else:
            kept[name] = _cleaned(part, declared, root, where, gone)
    return kept


def _resolved(schema: object, root: dict[str, Any]) -> dict[str, Any]:
    """The schema that a value is read by: through references, and past an alternative of null."""
    for _ in range(HOPS_MAX):
        if not isinstance(schema, dict):
            return {}
        if "$ref" in schema:
            schema = target(schema["$ref"], root)
            continue
        options = schema.get("anyOf") or schema.get("oneOf")
        if not options or "properties" in schema:
            return schema
        objects = [part for part in options if _is_container(part, root)]
        schema = objects[0] if len(objects) == 1 else {}
    return {}


def _is_container(schema: object, root: dict[str, Any]) -> bool:
    return is_object(schema, root) or "array" in types_of(followed(schema, root))
