"""Ears: the official SDKs, one file for each dialect. `open_ears` makes all of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from faultloop.bench.sdks.ears.anthropic_messages import AnthropicMessagesEar
from faultloop.bench.sdks.ears.ear import Ear
from faultloop.bench.sdks.ears.gemini import GeminiEar
from faultloop.bench.sdks.ears.openai_chat import OpenAIChatEar
from faultloop.bench.sdks.ears.openai_responses import OpenAIResponsesEar


@contextmanager
def open_ears() -> Iterator[tuple[Ear, ...]]:
    """All ears, in the order of the dialects' table."""
    ears: tuple[Ear, ...] = (
        OpenAIChatEar(),
        OpenAIResponsesEar(),
        AnthropicMessagesEar(),
        GeminiEar(),
    )
    try:
        yield ears
    finally:
        for ear in ears:
            ear.close()


__all__ = ["Ear", "open_ears"]
