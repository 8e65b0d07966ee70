"""A tool in OpenAI's Chat Completions: an entry of `tools` with a function in it (SPEC C1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from faultloop.loop.contract.declaration import Strict
from faultloop.loop.contract.rendering.rendered import Rendered, choose
from faultloop.loop.contract.strict import OPENAI

DIALECT = "openai_chat"


def render(face: Mapping[str, Any], strict: Strict | None = None) -> Rendered:
    """Spell a model's face; without strict decoding the key `strict` is left out."""
    chosen = choose(face, strict, dialect=DIALECT, profile=OPENAI)
    function: dict[str, Any] = {
        "name": face["name"],
        "description": face["description"],
        "parameters": chosen.parameters,
    }
    if chosen.strict:
        function["strict"] = True
    return Rendered({"type": "function", "function": function}, chosen.strict, chosen.notes)
