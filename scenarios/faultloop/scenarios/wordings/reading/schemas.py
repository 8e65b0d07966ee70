"""The JSON Schemas of task files and wording files, for editors.

`python -m faultloop.scenarios.wordings.reading.schemas tasks` prints one of them; `docs` holds that
output as `tasks.schema.json` and `wordings.schema.json`, and a test keeps it so.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from faultloop.scenarios.wordings.matchers import KINDS
from faultloop.scenarios.wordings.matchers.reading import MARK
from faultloop.scenarios.wordings.reading.edits import TEXTS, Base, Variant
from faultloop.scenarios.wordings.reading.forms import OURS
from faultloop.scenarios.wordings.reading.tasks import Head
from faultloop.scenarios.wordings.task import Task

Schema = dict[str, Any]  # a JSON Schema is data of the wire: it is read by editors

DRAFT = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
MATCHER: Schema = {"$ref": "#/$defs/Matcher"}
"""Also what pydantic calls the members of a matcher that holds others."""


def tasks() -> Schema:
    """The schema of a YAML file of tasks."""
    head, task = Head.model_json_schema(by_alias=True), Task.model_json_schema(by_alias=True)
    found = {**head.pop("$defs"), **task.pop("$defs")}
    definitions: Schema = {**_with_matchers(found), "Task": _with_matchers(task), **_matchers()}
    short = {"anyOf": [{"$ref": "#/$defs/Choice"}, {"$ref": "#/$defs/Expected"}]}
    definitions["Task"]["properties"]["calls"]["items"] = short
    properties = {
        **head["properties"],
        "tasks": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/Task"}},
    }
    required = [*head["required"], "tasks"]
    return {
        **DRAFT,
        **head,
        "title": "Tasks",
        "properties": properties,
        "required": required,
        "$defs": definitions,
    }


def wordings() -> Schema:
    """The schema of a wording file: a variant where it extends another, else a base."""
    base, variant = Base.model_json_schema(by_alias=True), Variant.model_json_schema(by_alias=True)
    definitions = {**variant.pop("$defs"), "Contract": _contract(), "Base": base}
    base["properties"]["tools"]["items"] = {"$ref": "#/$defs/Contract"}
    return {
        **DRAFT,
        "title": "Wording",
        "type": "object",
        "if": {"required": ["extends"]},
        "then": {"$ref": "#/$defs/Variant"},
        "else": {"$ref": "#/$defs/Base"},
        "$defs": {**definitions, "Variant": variant},
    }


def _with_matchers(node: Any) -> Any:
    """The schema with the one of all matchers wherever one may stand."""
    if isinstance(node, list):
        return [_with_matchers(item) for item in node]
    if not isinstance(node, dict):
        return node
    if node == {"const": MARK}:
        return MATCHER
    return {key: _with_matchers(item) for key, item in node.items()}


def _matchers() -> Schema:
    """One definition a kind, and `Matcher`: any of them, or a plain value, item by item."""
    found: Schema = {}
    for key, model in KINDS.items():
        schema = model.model_json_schema(by_alias=True)
        schema.pop("$defs", None)
        found[model.__name__] = {**schema, "required": [key]}
    of_no_kind = {"not": {"anyOf": [{"required": [key]} for key in KINDS]}}
    plain: list[Schema] = [
        {"type": ["string", "number", "boolean", "null"]},
        {"type": "array", "items": MATCHER},
        {"type": "object", **of_no_kind, "additionalProperties": MATCHER},
    ]
    kinds = [{"$ref": f"#/$defs/{model.__name__}"} for model in KINDS.values()]
    return {**found, "Matcher": {"anyOf": [*kinds, *plain]}}


def _contract() -> Schema:
    """A contract of ours by its fields; tools in the forms of providers may have any."""
    text, flag, texts = {"type": "string"}, {"type": "boolean"}, {"type": "array"}
    other: Schema = {
        "name": text,
        "parameters": {"type": "object"},
        "example": {"type": ["object", "null"]},
        "risk": {"enum": ["low", "medium", "high"]},
        "output_budget_bytes": {"type": "integer"},
        "depends_on": {**texts, "items": text},
        "aliases": {**texts, "items": text},
        "parameter_aliases": {"type": "object", "additionalProperties": text},
        "verify_with": {"type": ["string", "null"]},
        "strict": {"enum": ["off", "preferred", "required", None]},
    }
    fields = {name: other.get(name, text if name in TEXTS else flag) for name in sorted(OURS)}
    closed = {"properties": fields, "required": ["name"], "additionalProperties": False}
    return {"type": "object", "if": {"required": ["purpose"]}, "then": closed}


SCHEMAS: Mapping[str, Callable[[], Schema]] = MappingProxyType(
    {"tasks": tasks, "wordings": wordings}
)
"""A schema by the name of its file."""


def text(name: str) -> str:
    """The schema as it is committed."""
    return json.dumps(SCHEMAS[name](), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(text(sys.argv[1]), end="")
