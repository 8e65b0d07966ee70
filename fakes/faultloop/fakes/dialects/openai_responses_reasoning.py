"""Reasoning items: what of a reply's thought Responses tells.

The item stands first in a reply whose model thought. It has a summary where the request asks for
one (`reasoning.summary`), and its content under seal where `include` asks for that.
"""

from __future__ import annotations

from typing import Any

from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.item_ids import reasoning_id
from faultloop.fakes.reply import Reply
from faultloop.fakes.signing import signed

Object = dict[str, Any]

ENCRYPTED = "reasoning.encrypted_content"


class Reasoning:
    """The reasoning item of a reply, whole or on its way."""

    def __init__(self, reply: Reply, frame: Frame) -> None:
        settings = frame.echo.get("settings") or {}
        self.id = reasoning_id(reply.id)
        self.output_index = 0
        self.status = "in_progress"
        self.text = ""
        self.expected = reply.thought
        self.is_told = bool((settings.get("reasoning") or {}).get("summary"))
        """The request asked for a summary."""
        is_sealed = ENCRYPTED in (settings.get("include") or ())
        self._sealed: Object = {}
        if is_sealed:
            self._sealed = {"encrypted_content": "gAAAAAB" + signed(reply.thought)}

    def whole(self) -> Object:
        """The item of a reply that is not streamed."""
        self.text = self.expected
        return self.object()

    def begun(self) -> Object:
        """The item as it is first told of."""
        return {"id": self.id, "type": "reasoning", **self._sealed, "summary": []}

    def object(self) -> Object:
        """The item as it is now."""
        return {**self.begun(), "summary": [self.part()] if self.is_told else []}

    def part(self) -> Object:
        """The one part of its summary, as it is now."""
        return {"type": "summary_text", "text": self.text}
