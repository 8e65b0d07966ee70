"""The models that a fake Gemini lists. Replies name whatever model a request names."""

from __future__ import annotations

from typing import Any

METHODS = ["generateContent", "countTokens"]
"""What is served here of the methods that the API lists; it never lists the streaming one."""

NAMES = ("fake-model", "gemini-3-pro-preview", "gemini-3-flash-preview", "gemini-2.5-flash")


def model(name: str) -> dict[str, Any]:
    """A model's resource; any name has one."""
    return {
        "name": f"models/{name}",
        "version": "001",
        "displayName": name.replace("-", " ").title(),
        "description": "A scripted model of faultloop.",
        "inputTokenLimit": 1_048_576,
        "outputTokenLimit": 65_536,
        "supportedGenerationMethods": METHODS,
        "temperature": 1,
        "topP": 0.95,
        "topK": 64,
        "maxTemperature": 2,
        "thinking": True,
    }


MODELS: dict[str, Any] = {"models": [model(name) for name in NAMES]}
"""What `models.list` answers: one page."""
