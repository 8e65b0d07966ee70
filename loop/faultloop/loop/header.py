"""What stands above the messages of a request: model, system prompt, tools (SPEC L15, L16).

The journal has a header whenever it differs from the one before, and the state has the last. Who
decides what the next one is: `offer`.
"""

from __future__ import annotations

import msgspec


class Header(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Model, provider, system prompt and tools of a request."""

    model: str
    provider: str = ""
    """Name of the provider that a hook sent it to; empty for the session's own."""
    system: str = ""
    tools: tuple[str, ...] = ()
    """Names, in the order in which they are offered."""
    digest: str = ""
    """Of the tools' faces, so that a change of wording or schema is a change, too (SPEC C9)."""


def changes(before: Header | None, now: Header) -> tuple[str, ...]:
    """Which parts of the header are others than before; all of them in the first request."""
    if before is None:
        return ("model", "system", "tools")
    parts = {
        "provider": before.provider != now.provider,
        "model": before.model != now.model,
        "system": before.system != now.system,
        "tools": (before.tools, before.digest) != (now.tools, now.digest),
    }
    return tuple(part for part, differs in parts.items() if differs)
