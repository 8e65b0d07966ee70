"""A tool in Gemini's API: a function declaration (SPEC C1).

The schema goes under `parametersJsonSchema`, which takes JSON Schema as it is; the older
`parameters` takes only a dialect of OpenAPI. A function without parameters has neither. Constrained
decoding is a mode of the whole request there (`VALIDATED`), not of a tool.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from faultloop.loop.contract.declaration import ContractError, Strict
from faultloop.loop.contract.rendering.rendered import Rendered, choose

DIALECT = "gemini"

NAMES = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
"""Gemini's names begin with a letter or an underscore; the rest is as with the others."""


def render(face: Mapping[str, Any], strict: Strict | None = None) -> Rendered:
    """Spell a model's face. Raises ContractError for a name that only the others take."""
    name = face["name"]
    if not NAMES.fullmatch(name):
        raise ContractError(
            f"Gemini takes no tool that is called {name}: a name begins with a letter or _ there"
        )
    chosen = choose(face, strict, dialect=DIALECT, profile=None)
    tool: dict[str, Any] = {"name": name, "description": face["description"]}
    if chosen.parameters.get("properties"):
        tool["parametersJsonSchema"] = chosen.parameters
    return Rendered(tool, chosen.strict, chosen.notes)
