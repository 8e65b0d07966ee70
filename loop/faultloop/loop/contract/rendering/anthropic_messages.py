"""A tool in Anthropic's Messages: the schema is called `input_schema` (SPEC C1).

Messages wants `type: object` written out, also where a schema leaves it to be understood.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from faultloop.loop.contract.declaration import Strict
from faultloop.loop.contract.rendering.rendered import Rendered, choose
from faultloop.loop.contract.strict import ANTHROPIC

DIALECT = "anthropic_messages"


def render(face: Mapping[str, Any], strict: Strict | None = None) -> Rendered:
    """Spell a model's face; without strict decoding the key `strict` is left out."""
    chosen = choose(face, strict, dialect=DIALECT, profile=ANTHROPIC)
    tool: dict[str, Any] = {
        "name": face["name"],
        "description": face["description"],
        "input_schema": {"type": "object", **chosen.parameters},
    }
    if chosen.strict:
        tool["strict"] = True
    return Rendered(tool, chosen.strict, chosen.notes)
