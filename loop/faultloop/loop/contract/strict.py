"""Strict forms of a JSON Schema, for decoders that are constrained by it (SPEC C11).

A provider's strict mode takes only a part of JSON Schema. Here a schema is put into that part, or
it is said at which places and why it cannot be. What is merely not enforced there (lengths, default
values) is left out with a note: a constrained decoder never replaces local validation, which
always uses the declared schema. An optional parameter becomes one that may be null, and
`strict_nulls` takes those nulls away again before the arguments are validated.

Two profiles, after the providers' documentation. OpenAI: every object lists all its properties as
required. Anthropic: optional ones stay optional, recursion is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from faultloop.loop.contract.references import (
    admits_null,
    escaped,
    is_object,
    target,
    types_of,
)

PROPERTIES_MAX = 5_000
NESTING_MAX = 10
"""OpenAI's limits for one schema."""

SHAPE = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "anyOf", "oneOf"}
    | {"enum", "const", "$ref", "$defs", "definitions", "description"}
)
"""Keywords that are converted; all others are kept, left out or refused."""

REFUSED = {
    "allOf": "schemas that must hold together cannot be decoded",
    "not": "a negation cannot be decoded",
    "if": "a condition between parameters cannot be decoded",
    "dependentRequired": "a condition between parameters cannot be decoded",
    "dependentSchemas": "a condition between parameters cannot be decoded",
    "patternProperties": "properties without fixed names cannot be decoded",
    "propertyNames": "properties without fixed names cannot be decoded",
    "prefixItems": "a list whose places differ cannot be decoded",
    "$dynamicRef": "a dynamic reference cannot be decoded",
}
"""Keyword to the reason why a schema with it has no strict form."""

FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)
"""Formats of strings that the decoders know."""


class Profile(NamedTuple):
    """What one provider's strict mode takes."""

    name: str
    all_required: bool
    """Whether an optional property has to become a nullable one."""
    kept: frozenset[str]
    """Further keywords that it enforces."""
    recursion: bool


OPENAI = Profile(
    name="OpenAI",
    all_required=True,
    kept=frozenset(
        {"pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
        | {"multipleOf", "minItems", "maxItems"}
    ),
    recursion=True,
)
ANTHROPIC = Profile(
    name="Anthropic",
    all_required=False,
    kept=frozenset({"pattern", "format", "default"}),
    recursion=False,
)


class Remark(NamedTuple):
    """Something about one place of a schema."""

    pointer: str
    """JSON pointer from the schema's root; empty for the root itself."""
    why: str

    def __str__(self) -> str:
        return f"{self.pointer or 'the root'}: {self.why}"


class Converted(msgspec.Struct, frozen=True):
    """A schema that the provider's strict mode takes."""

    schema: dict[str, Any]
    left_out: tuple[Remark, ...] = ()
    """What only local validation enforces."""
    nullable: tuple[str, ...] = ()
    """Pointers of the optional properties that may now be null."""


class NotConvertible(msgspec.Struct, frozen=True):
    """There is no strict form of the schema."""

    reasons: tuple[Remark, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.reasons))


def strict_form(schema: dict[str, Any], profile: Profile = OPENAI) -> Converted | NotConvertible:
    """The strict form of the schema of an object, or why there is none."""
    converting = _Converting(schema, profile)
    converted = converting.root()
    if converting.reasons:
        return NotConvertible(tuple(converting.reasons))
    return Converted(converted, tuple(converting.left_out), tuple(converting.nullable))


class _Converting:
    """One conversion: walks the schema, and collects what it meets."""

    def __init__(self, schema: dict[str, Any], profile: Profile) -> None:
        self._schema = schema
        self._profile = profile
        self._properties = 0
        self.reasons: list[Remark] = []
        self.left_out: list[Remark] = []
        self.nullable: list[str] = []

    def root(self) -> dict[str, Any]:
        """Convert all of it."""
        if {"anyOf", "oneOf", "$ref", "enum"} & self._schema.keys():
            self._refuse("", "the root must be one plain object")
            return {}
        if not self._profile.recursion and _is_recursive(self._schema):
            self._refuse("", f"it refers to itself, which {self._profile.name} refuses")
            return {}
        plain = {"type": "object", "properties": {}, **self._schema}
        return self._convert(plain, "", 0)

    def _refuse(self, pointer: str, why: str) -> None:
        self.reasons.append(Remark(pointer, why))

    def _convert(self, schema: object, pointer: str, depth: int) -> dict[str, Any]:
        if not isinstance(schema, dict) or not SHAPE & schema.keys() - {"description"}:
            self._refuse(pointer, "any value at all cannot be decoded: give it a type")
            return {}
        if depth > NESTING_MAX:
            self._refuse(pointer, f"it is nested deeper than {NESTING_MAX} levels")
            return {}
        out = self._keywords(schema, pointer)
        for key in ("$defs", "definitions"):
            for name, part in (schema.get(key) or {}).items():
                place = f"{pointer}/{key}/{escaped(name)}"
                out.setdefault(key, {})[name] = self._convert(part, place, depth)
        if "items" in schema:
            out["items"] = self._convert(schema["items"], f"{pointer}/items", depth + 1)
        elif "array" in types_of(schema):
            self._refuse(pointer, "a list of anything cannot be decoded: declare its items")
        if "anyOf" in schema or "oneOf" in schema:
            out["anyOf"] = self._alternatives(schema, pointer, depth)
        if "properties" in schema or "object" in types_of(schema):
            self._object(schema, out, pointer, depth)
        return out

    def _keywords(self, schema: dict[str, Any], pointer: str) -> dict[str, Any]:
        """Everything that needs no walk."""
        out: dict[str, Any] = {}
        for key, value in schema.items():
            if key in REFUSED:
                self._refuse(pointer, f"{key}: {REFUSED[key]}")
            elif key in ("type", "enum", "$ref", "description"):
                out[key] = value
            elif key == "const":
                out["enum"] = [value]
            elif key in self._profile.kept and (key != "format" or value in FORMATS):
                out[key] = value
            elif key not in SHAPE and key not in ANNOTATING:
                self.left_out.append(Remark(pointer, f"{key} is only checked here"))
        if "enum" in out and "type" not in out:  # the decoders want to be told
            types = sorted({_type_of(value) for value in out["enum"]})
            out["type"] = types[0] if len(types) == 1 else types
        return out

    def _alternatives(
        self, schema: dict[str, Any], pointer: str, depth: int
    ) -> list[dict[str, Any]]:
        key = "anyOf" if "anyOf" in schema else "oneOf"
        if key == "oneOf":
            self.left_out.append(Remark(pointer, "that only one alternative holds is checked here"))
        before = len(self.nullable)
        converted = [
            self._convert(part, f"{pointer}/{key}/{place}", depth + 1)
            for place, part in enumerate(schema[key])
        ]
        objects = [part for part in schema[key] if is_object(part, self._schema)]
        if len(objects) > 1 and len(self.nullable) > before:
            self._refuse(
                pointer,
                "alternatives that are objects with optional properties could not be told apart"
                " again",
            )
        return converted

    def _object(
        self, schema: dict[str, Any], out: dict[str, Any], pointer: str, depth: int
    ) -> None:
        properties = schema.get("properties") or {}
        # Without a word on others: closed where there are any, free where there are none, but for
        # the root, which the contract closes.
        free = not properties and depth > 0
        if schema.get("additionalProperties", free) is not False:
            self._refuse(pointer, "an object that takes further properties cannot be decoded")
            return
        self._properties += len(properties)
        if self._properties > PROPERTIES_MAX:
            self._refuse(pointer, f"there are more than {PROPERTIES_MAX} properties")
            return
        required = set(schema.get("required", ()))
        out["properties"] = {}
        for name, part in properties.items():
            place = f"{pointer}/properties/{escaped(name)}"
            converted = self._convert(part, place, depth + 1)
            if name not in required and self._profile.all_required:
                if not admits_null(part, self._schema):
                    self.nullable.append(place)
                converted = _or_null(converted)
            out["properties"][name] = converted
        kept = properties if self._profile.all_required else schema.get("required", ())
        out["required"] = list(kept)
        out["additionalProperties"] = False


ANNOTATING = frozenset(
    {"title", "default", "examples", "$schema", "$id", "$comment", "deprecated", "readOnly"}
)
"""Keywords that restrict nothing: left out without a word."""


def _type_of(value: object) -> str:
    """The type of a JSON value, as JSON Schema calls it."""
    return next(name for kind, name in TYPES if isinstance(value, kind))


TYPES: tuple[tuple[type, str], ...] = (
    (bool, "boolean"),
    (str, "string"),
    (int, "integer"),
    (float, "number"),
    (list, "array"),
    (dict, "object"),
    (type(None), "null"),
)
"""Order matters: in Python a bool is an int."""


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The same, or null."""
    if "enum" in schema:
        options = schema["enum"] if None in schema["enum"] else [*schema["enum"], None]
        return {**schema, "enum": options, "type": _with_null(types_of(schema))}
    if "type" in schema and "anyOf" not in schema:
        return {**schema, "type": _with_null(types_of(schema))}
    told = {key: schema[key] for key in ("description",) if key in schema}
    inner = {key: value for key, value in schema.items() if key not in told}
    options = inner["anyOf"] if inner.keys() == {"anyOf"} else [inner]
    if not any(types_of(option) == ["null"] for option in options):
        options = [*options, {"type": "null"}]
    return {**told, "anyOf": options}


def _with_null(types: list[str]) -> list[str]:
    return types if "null" in types else [*types, "null"]


def _is_recursive(schema: dict[str, Any]) -> bool:
    straight: set[str] = set()
    """References that were followed to their ends: a schema may name one very often."""

    def reaches(node: object, trail: frozenset[str]) -> bool:
        for reference in _references(node):
            if reference == "#" or reference in trail:
                return True
            if reference in straight:
                continue
            if reaches(target(reference, schema), trail | {reference}):
                return True
            straight.add(reference)
        return False

    plain = {key: part for key, part in schema.items() if key not in ("$defs", "definitions")}
    return reaches(plain, frozenset())


def _references(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for part in node.values():
            yield from _references(part)
    elif isinstance(node, list):
        for part in node:
            yield from _references(part)
