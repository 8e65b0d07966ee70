"""A tool as an MCP server lists it: the model's face, and hints for the host (SPEC C1).

A host is a runtime, not a model: it gets the runtime's face, too. MCP's four hints go under
`annotations`, everything else of ours under namespaced keys of `_meta`, which others pass by.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from faultloop.loop.contract.declaration import Contract

DIALECT = "mcp"

NAMESPACE = "faultloop/"


def render(contract: Contract) -> dict[str, Any]:
    """An entry of `tools/list`."""
    face = contract.face()
    noted = contract.annotations()
    tool: dict[str, Any] = {
        "name": face["name"],
        "description": face["description"],
        "inputSchema": {"type": "object", **face["parameters"]},
        "annotations": {key: hint for key, hint in noted.items() if key.endswith("Hint")},
        "_meta": {key: hint for key, hint in noted.items() if key.startswith(NAMESPACE)},
    }
    return tool


def hints(entry: Mapping[str, Any]) -> dict[str, Any]:
    """All that an entry of `tools/list` tells a host, as `Contract.from_manifest` reads it."""
    annotations = entry.get("annotations")
    meta = entry.get("_meta")
    told = dict(annotations) if isinstance(annotations, Mapping) else {}
    if isinstance(meta, Mapping):
        told |= {key: hint for key, hint in meta.items() if str(key).startswith(NAMESPACE)}
    return told
