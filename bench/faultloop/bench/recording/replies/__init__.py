"""What a recorded reply means, by dialect: text, calls, finish reason, usage.

One file a dialect, each with `whole` and `streamed`. They read what real providers send, so they
take nothing for granted: what is missing or odd is left out, and a reply that broke off means as
much as had come. They share nothing with the code that writes these formats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from faultloop.bench.recording.replies import (
    anthropic_messages,
    gemini,
    openai_chat,
    openai_responses,
)
from faultloop.bench.recording.replies.events import events
from faultloop.bench.recording.replies.meaning import Json, Meaning, decoded


class _Reader(NamedTuple):
    whole: Callable[[Json], Meaning]
    streamed: Callable[[list[Json]], Meaning]


_READERS: Mapping[str, _Reader] = MappingProxyType(
    {
        "openai_chat": _Reader(openai_chat.whole, openai_chat.streamed),
        "openai_responses": _Reader(openai_responses.whole, openai_responses.streamed),
        "anthropic_messages": _Reader(anthropic_messages.whole, anthropic_messages.streamed),
        "gemini": _Reader(gemini.whole, gemini.streamed),
    }
)


def meaning(dialect: str, body: bytes, *, streamed: bool) -> Meaning:
    """What a body means; nothing at all where nobody can read it."""
    reader = _READERS[dialect]
    text = body.decode(errors="replace")
    return reader.streamed(events(text)) if streamed else reader.whole(decoded(text))
