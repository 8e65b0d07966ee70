"""The list of models as OpenAI gives it, whichever of its dialects is spoken."""

from __future__ import annotations

from typing import Any

MODELS: dict[str, Any] = {
    "object": "list",
    "data": [
        {"id": "fake-model", "object": "model", "created": 1767225600, "owned_by": "faultloop"}
    ],
}
"""The one fake model; requests may name any other."""
