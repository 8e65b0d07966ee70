"""Which call of the model a `tools/call` carries out, and under which idempotency key.

MCP has no field for either. Agents put the model's call id into `_meta`, each under a key of its
own; those that are known are a table. Whatever else in `_meta` equals an id that the fake model
gave is that id too: ids are keyed hashes, so nothing equals one by accident. A progress token or a
JSON-RPC id counts attempts, not calls, and is taken for a call id only that way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

CALL_ID_KEYS = ("faultloop/callId", "claudecode/toolUseId", "callId")
"""This bench's own key; Claude Code's; Codex's."""

KEY_KEYS = ("faultloop/idempotencyKey", "idempotencyKey")

DEPTH_MAX = 4
"""How deep `_meta` is searched."""


def call_id(meta: Mapping[str, object], known: Callable[[str], bool]) -> str | None:
    """The id of the model's call, if the client names it."""
    named = _first(meta, CALL_ID_KEYS)
    if named is not None:
        return named
    return next((text for text in _texts(meta, DEPTH_MAX) if known(text)), None)


def key(meta: Mapping[str, object]) -> str | None:
    """The idempotency key, if the client gives one."""
    return _first(meta, KEY_KEYS)


def _first(meta: Mapping[str, object], keys: tuple[str, ...]) -> str | None:
    found = (meta.get(name) for name in keys)
    return next((value for value in found if isinstance(value, str) and value), None)


def _texts(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping) and depth:
        for inner in value.values():
            yield from _texts(inner, depth - 1)
