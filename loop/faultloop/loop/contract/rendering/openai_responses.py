"""A tool in OpenAI's Responses: flat, and strict unless it says otherwise (SPEC C1, C11).

In Responses a missing `strict` means true, unlike in Chat Completions, so it is always said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from faultloop.loop.contract.declaration import Strict
from faultloop.loop.contract.rendering.rendered import Rendered, choose
from faultloop.loop.contract.strict import OPENAI

DIALECT = "openai_responses"


def render(face: Mapping[str, Any], strict: Strict | None = None) -> Rendered:
    """Spell a model's face."""
    chosen = choose(face, strict, dialect=DIALECT, profile=OPENAI)
    tool: dict[str, Any] = {
        "type": "function",
        "name": face["name"],
        "description": face["description"],
        "parameters": chosen.parameters,
        "strict": chosen.strict,
    }
    return Rendered(tool, chosen.strict, chosen.notes)
