"""Base URLs of a hosted conversation, as each provider's SDK wants them. See `VARIABLES`."""

from __future__ import annotations

import shlex
from typing import NamedTuple
from urllib.parse import quote

KEY = "faultloop"
"""SDKs want a key; any will do."""


class BaseUrls(NamedTuple):
    """Where the SDKs find one conversation."""

    openai: str
    """Chat Completions and Responses; ends in `/v1`."""
    anthropic: str
    gemini: str
    tools: str
    """The script's world as subject contract v1 has it; empty of tools where there is none."""

    @classmethod
    def at(cls, url: str, conversation: str) -> BaseUrls:
        """Those of a conversation of the server at `url`."""
        base = f"{url}/c/{quote(conversation, safe='')}"
        return cls(openai=f"{base}/v1", anthropic=base, gemini=base, tools=f"{base}/tools")

    def of(self, dialect: str) -> str:
        """By a dialect's name. Raises KeyError."""
        urls: dict[str, str] = self._asdict()
        return urls[SDKS[dialect]]

    @property
    def environment(self) -> dict[str, str]:
        """Variables that send the SDKs here, keys included."""
        found = {}
        for sdk, (url, key) in VARIABLES.items():
            found[url] = self._asdict()[sdk]
            found[key] = KEY
        return found

    def exports(self) -> str:
        """The same as a shell takes it, a line each."""
        lines = (
            f"export {name}={shlex.quote(value)}\n" for name, value in self.environment.items()
        )
        return "".join(lines)


SDKS = {
    "openai_chat": "openai",
    "openai_responses": "openai",
    "anthropic_messages": "anthropic",
    "gemini": "gemini",
}
"""The SDK of each dialect, by its field in `BaseUrls`."""

VARIABLES = {
    "openai": ("OPENAI_BASE_URL", "OPENAI_API_KEY"),
    "anthropic": ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
    "gemini": ("GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY"),
}
"""Where each SDK looks for its base URL and its key."""
