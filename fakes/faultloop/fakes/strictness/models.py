"""What the provider's models can: context windows, prefill, signatures. By the beginning of a name.

A model that is not in a table is one of today: without a known window, taking no prefill, signing
its calls.
"""

from __future__ import annotations

from functools import lru_cache

WINDOWS: dict[str, tuple[int, str]] = {
    "gpt-3.5-turbo": (16_385, "vanna-ai/vanna #320"),
    "gpt-4": (8_192, "crewAIInc/crewAI-examples #121"),
    "gpt-4-32k": (32_768, "from memory of the documentation"),
    "gpt-4-turbo": (128_000, "from memory of the documentation"),
    "gpt-4o": (128_000, "bytedance/deer-flow #310"),
    "gpt-4.1": (1_047_576, "from memory of the documentation"),
    "o1": (200_000, "from memory of the documentation"),
    "o3": (200_000, "from memory of the documentation"),
    "o4-mini": (200_000, "from memory of the documentation"),
    "gpt-5": (272_000, "anomalyco/models.dev #851: of input alone"),
    "gpt-5.6": (922_000, "james-6-23/codex2api #414: of input alone"),
    "claude-3": (200_000, "stackblitz/bolt.new #1748"),
    "claude-opus-4": (200_000, "boldsoftware/exe.dev #62"),
    "claude-sonnet-4": (200_000, "anthropics/claude-code #12186"),
    "claude-haiku-4": (200_000, "from memory of the documentation"),
    "gemini-2.": (1_048_576, "google-gemini/gemini-cli #6678"),
    "gemini-3-": (1_048_576, "from memory of the documentation"),
}
"""Tokens that a request may have, each with its source. The longest beginning counts."""

_WIDER = ("claude-opus-4-6", "claude-opus-4-7", "claude-opus-4-8", "claude-sonnet-4-6", "gpt-5.")
"""Begin like others and are not known to end like them."""

_BEGINNINGS = sorted({**WINDOWS, **dict.fromkeys(_WIDER)}, key=len, reverse=True)

PREFILLED = (
    *("claude-instant", "claude-2", "claude-3"),
    *("claude-opus-4-0", "claude-opus-4-1", "claude-opus-4-2", "claude-opus-4-5"),
    *("claude-sonnet-4-0", "claude-sonnet-4-2", "claude-sonnet-4-5", "claude-haiku-4-5"),
    *("gemini-1", "gemini-2.", "gemini-3-", "gemini-3.1-", "gemini-pro-latest"),
)
"""Models that go on with what the request's last message began in their name: of Anthropic by
ericc-ch/copilot-api #261, of Gemini by pipecat-ai/pipecat #5821."""

PREFILLED_ALONE = ("gemini-3.5-flash",)
"""The same, of the whole name (LibreChat-AI/agents #323: 3.5-flash-lite takes none)."""

ROOM_NEEDED = (
    *("claude-3-7", "claude-sonnet-4-0", "claude-sonnet-4-2"),
    *("claude-opus-4-0", "claude-opus-4-1", "claude-opus-4-2"),
)
"""Models that want room for all of the reply that is allowed. Those before them cut it silently
(Anthropic's documentation, Context windows); those since Sonnet 4.5 stop for the reason
`model_context_window_exceeded` (Handling stop reasons)."""

UNSIGNED = ("gemini-1", "gemini-2.")
"""Gemini models that ask for no signatures (nanbingxyz/5ire #405)."""


@lru_cache(maxsize=256)
def window(model: str) -> int | None:
    """Tokens that a request to this model may have; None where that is not known."""
    for beginning in _BEGINNINGS:
        if model.startswith(beginning):
            return WINDOWS[beginning][0] if beginning in WINDOWS else None
    return None


def takes_prefill(model: str) -> bool:
    """Whether it goes on with a message that the request began in its name."""
    return model.startswith(PREFILLED) or model in PREFILLED_ALONE


def needs_room(model: str) -> bool:
    """Whether request and reply together must fit into its window from the first."""
    return model.startswith(ROOM_NEEDED)


def signs(model: str) -> bool:
    """Whether it wants the signatures of its calls back."""
    return not model.startswith(UNSIGNED)
