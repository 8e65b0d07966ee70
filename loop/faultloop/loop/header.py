"""What stands above the messages of a request (SPEC L15, L16).

That is the model, the system prompt, the tools, the settings, and to whom a hook sent it. Beside
them stands the system prompt from before the hooks, where policy keeps that one.

The journal has a header whenever it differs from the one before, and the state has the last. Who
decides what the next one is: `offer`.
"""

from __future__ import annotations

import msgspec

from faultloop.loop.contract import Strict


class Header(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Model, provider, system prompt, tools and settings of a request."""

    model: str
    provider: str = ""
    """Name of the provider that a hook sent it to; empty for the session's own."""
    system: str = ""
    tools: tuple[str, ...] = ()
    """Names, in the order in which they are offered."""
    offered: str | None = None
    """The system prompt that policy keeps; a `request` hook may have changed `system` from it."""
    digest: str = ""
    """Of the tools' faces, so that a change of wording or schema is a change, too (SPEC C9)."""
    stream: bool = True
    output_tokens_max: int | None = None
    strict: Strict | None = "preferred"


def changes(before: Header | None, now: Header) -> tuple[str, ...]:
    """Which parts of the header are others than before.

    In the first request: model, system and tools, and of the rest what is not as usual. The prompt
    that policy keeps is part of `system`: it has to be durable, or a restart would not keep it.
    """
    first = before is None
    last = Header(model=now.model) if before is None else before
    parts = {
        "provider": last.provider != now.provider,
        "model": first or last.model != now.model,
        "system": first or (last.system, last.offered) != (now.system, now.offered),
        "tools": first or (last.tools, last.digest) != (now.tools, now.digest),
        "settings": _settings(last) != _settings(now),
    }
    return tuple(part for part, differs in parts.items() if differs)


def _settings(header: Header) -> tuple[object, ...]:
    return header.stream, header.output_tokens_max, header.strict
