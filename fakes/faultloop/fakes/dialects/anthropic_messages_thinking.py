"""Thinking in Messages: what of a reply's thought is told, as its request wants it.

The newest models think unless a request says `disabled`, and tell it unless it says `omitted`: then
the block is there with its signature and without its text (docs of the API, Thinking, 2026).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.reply import Reply
from faultloop.fakes.signing import signed


class Thinking(NamedTuple):
    """The block of a reply that thinks."""

    text: str
    """Empty where it is omitted."""
    signature: str

    def block(self) -> dict[str, Any]:
        """The whole block."""
        return {"type": "thinking", "thinking": self.text, "signature": self.signature}


def thinking(reply: Reply, frame: Frame) -> Thinking | None:
    """The block of a reply; None where it has none."""
    wanted = frame.echo.get("thinking") or {}
    if not reply.thought or wanted.get("type") == "disabled":
        return None
    text = "" if wanted.get("display") == "omitted" else reply.thought
    return Thinking(text, signed(text))


def tokens(count: int) -> dict[str, int]:
    """How many of a reply's tokens were thought."""
    return {"thinking_tokens": count}
