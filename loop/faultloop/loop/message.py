"""The conversation's own values: what the user, the model and the tools said.

Arguments of a call are kept as the text that the model wrote; decoding them is the business of
`arguments`, and a history never depends on it. Every value is journalled as it stands.
"""

from __future__ import annotations

from typing import Literal

import msgspec

FinishReason = Literal["stop", "tool_calls", "length", "content_filter", "other"]
"""The provider's own reason in OpenAI's words; None elsewhere means: the stream ended without."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One tool call that the model made."""

    id: str
    name: str
    arguments: str


class UserMessage(msgspec.Struct, frozen=True, kw_only=True, tag="user"):
    """Input that entered the context."""

    id: str
    text: str


class AssistantMessage(msgspec.Struct, frozen=True, kw_only=True, tag="assistant"):
    """One whole reply of the model."""

    id: str
    text: str
    calls: tuple[Call, ...] = ()
    finish_reason: FinishReason | None = None
    truncated: bool = False
    """Judged cut (SPEC P1): none of its calls may start from here on."""


class ResultMessage(msgspec.Struct, frozen=True, kw_only=True, tag="result"):
    """What the model is told about one call (SPEC L1)."""

    call_id: str
    content: str
    ok: bool


class Notice(msgspec.Struct, frozen=True, kw_only=True, tag="notice"):
    """Something that the loop itself tells the model (SPEC X3): never the user's words."""

    text: str


Message = UserMessage | AssistantMessage | ResultMessage | Notice
