"""Provider dialects: a reply as bytes, whole and streamed. `DIALECTS` is the table of all."""

from __future__ import annotations

from faultloop.fakes.dialects.dialect import Dialect
from faultloop.fakes.dialects.openai_chat import OPENAI_CHAT

DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in (OPENAI_CHAT,)}
"""Dialect by its name in subject.toml."""

__all__ = ["DIALECTS"]
