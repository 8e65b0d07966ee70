"""Renderings of a contract, one file a dialect; each derives from the one declaration (SPEC C1).

Providers get the model's face and nothing else; MCP is for hosts and has both faces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

from faultloop.loop.contract.declaration import Strict
from faultloop.loop.contract.rendering import (
    anthropic_messages,
    gemini,
    openai_chat,
    openai_responses,
)
from faultloop.loop.contract.rendering.rendered import Rendered, StrictImpossible

__all__ = ["DIALECTS", "Dialect", "Rendered", "StrictImpossible", "render"]

Dialect = Literal["openai_chat", "openai_responses", "anthropic_messages", "gemini"]

DIALECTS: Mapping[str, Callable[[Mapping[str, Any], Strict | None], Rendered]] = MappingProxyType(
    {
        dialect.DIALECT: dialect.render
        for dialect in (openai_chat, openai_responses, anthropic_messages, gemini)
    }
)
"""Dialect to what spells a model's face in it."""


def render(face: Mapping[str, Any], dialect: Dialect, strict: Strict | None = None) -> Rendered:
    """Spell a model's face; `strict` is the provider's setting, None leaves it to the tool.

    Raises StrictImpossible, and ContractError for what the dialect cannot spell at all.
    """
    return DIALECTS[dialect](face, strict)
