"""Models as OpenAI gives them, whichever of its dialects is spoken."""

from __future__ import annotations

from typing import Any


def model(name: str) -> dict[str, Any]:
    """A model; any name has one."""
    return {"id": name, "object": "model", "created": 1767225600, "owned_by": "faultloop"}


MODELS: dict[str, Any] = {"object": "list", "data": [model("fake-model")]}
"""The one fake model; requests may name any other."""
