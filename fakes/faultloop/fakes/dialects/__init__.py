"""Provider dialects: a reply as bytes, whole and streamed. `DIALECTS` is the table of all."""

from __future__ import annotations

from faultloop.fakes.dialects.anthropic_messages import ANTHROPIC_MESSAGES
from faultloop.fakes.dialects.dialect import Dialect
from faultloop.fakes.dialects.gemini import GEMINI
from faultloop.fakes.dialects.openai_chat import OPENAI_CHAT
from faultloop.fakes.dialects.openai_responses import OPENAI_RESPONSES

_ALL = (
    OPENAI_CHAT,
    OPENAI_RESPONSES,
    ANTHROPIC_MESSAGES,
    GEMINI,
)

DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in _ALL}
"""Dialect by its name in subject.toml."""

__all__ = ["DIALECTS"]
