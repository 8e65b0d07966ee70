"""The JSON Schema of scenario files, for editors and for hints in error messages.

`python -m faultloop.scenarios.schema` prints it; `docs/scenario.schema.json` is that output, and a
test keeps it so.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from faultloop.scenarios.checks import CHECKS
from faultloop.scenarios.places import Place
from faultloop.scenarios.scenario import Scenario

Schema = dict[str, Any]  # a JSON Schema is data of the wire: it is read by editors


@cache
def json_schema() -> Schema:
    """The schema of one scenario file, draft 2020-12."""
    schema = Scenario.model_json_schema(by_alias=True)
    definitions: dict[str, Schema] = schema["$defs"]
    for definition in definitions.values():
        if "kind" in definition["properties"]:
            # Python fills in the kind by itself; a file has to say it.
            definition["required"] = ["kind", *definition["required"]]
    schema["properties"]["checks"]["items"] = {"enum": sorted(CHECKS)}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def fields_at(place: Place) -> tuple[str, ...]:
    """The names of the fields that may stand there; none where anything may."""
    node: Schema = json_schema()
    for part in place:
        node = _inner(node, part)
    return tuple(_resolved(node).get("properties", ()))


def _inner(node: Schema, part: str | int) -> Schema:
    node = _resolved(node)
    if isinstance(part, int):
        items: Schema = node.get("items", {})
        return items
    kinds: dict[str, str] = node.get("discriminator", {}).get("mapping", {})
    if part in kinds:
        return {"$ref": kinds[part]}
    found: Schema = node.get("properties", {}).get(part) or node.get("additionalProperties") or {}
    return found if isinstance(found, dict) else {}


def _resolved(node: Schema) -> Schema:
    """The schema behind a reference, or the one that an optional value has when it is there."""
    while True:
        if "$ref" in node:
            node = json_schema()["$defs"][node["$ref"].rsplit("/", 1)[-1]]
        elif any(option == {"type": "null"} for option in node.get("anyOf", ())):
            node = next(option for option in node["anyOf"] if option != {"type": "null"})
        else:
            return node


def text() -> str:
    """The schema as it is committed."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(text(), end="")
