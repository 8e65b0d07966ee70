"""What all requests have in common when they are spelt: nothing is spelt twice, names and ids fit.

Each request of a session says again all that the last one said. What was spelt before (the same
value, not merely an equal one) is not spelt again: else a turn's cost would grow with the square of
its steps.

Only spelling: the history has been repaired before (SPEC D6), and nothing is left out or moved but
what a provider would refuse for ever. For the same reason arguments that are no JSON object, and
names and ids that no tool or call could have, are spelt so that they are taken.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Generic, TypeVar

import msgspec

from faultloop.loop.contract import ContractError, Strict
from faultloop.loop.contract.rendering import Rendered
from faultloop.loop.message import Message
from faultloop.loop.providers.port import ProviderFailure

S = TypeVar("S")

Renderer = Callable[[Mapping[str, Any], Strict | None], Rendered]

_log = logging.getLogger(__name__)

NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")
NAME_CHARS_MAX = 64
"""OpenAI's pattern for function names is `^[a-zA-Z0-9_-]{1,64}$`, also in the history; the others
take more."""

IDS = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Anthropic's characters and Responses' length."""


class Spelt(Generic[S]):
    """A conversation as it was spelt, message by message."""

    def __init__(self, spell: Callable[[Message, Sequence[Message]], S]) -> None:
        """`spell`: of a message, and of those before it."""
        self._spell = spell
        self._said: list[Message] = []
        self._spelt: list[S] = []

    def of(self, messages: Sequence[Message]) -> list[S]:
        """The messages, spelt. The list is not the caller's to change."""
        known = 0
        for said, known_one in zip(messages, self._said, strict=False):
            if said is not known_one:
                break
            known += 1
        del self._said[known:], self._spelt[known:]
        for said in messages[known:]:
            self._spelt.append(self._spell(said, self._said))
            self._said.append(said)
        return self._spelt


class Offered:
    """The tools of a session, spelt again only where they are others."""

    def __init__(self, render: Renderer) -> None:
        self._render = render
        self._faces: tuple[dict[str, Any], ...] = ()
        self._strict: Strict | None = None
        self._tools = msgspec.Raw()

    def of(self, faces: tuple[dict[str, Any], ...], strict: Strict | None) -> msgspec.Raw:
        """A list of tools, spelt. Raises ProviderFailure for what the dialect cannot say."""
        if faces is not self._faces or strict != self._strict:
            self._tools = raw([self._tool(face, strict) for face in faces])
            self._faces, self._strict = faces, strict
        return self._tools

    def _tool(self, face: dict[str, Any], strict: Strict | None) -> dict[str, Any]:
        """A contract's model face; strict where asked for and possible (C11)."""
        try:
            rendered = self._render(face, strict)
        except ContractError as error:
            raise ProviderFailure("rejected", str(error)) from error
        if not rendered.strict:
            for note in rendered.notes:  # once for each set of tools, not for each request
                _log.info("%s", note)
        return rendered.tool


def raw(spelt: object) -> msgspec.Raw:
    """JSON that is put into other JSON as it is."""
    return msgspec.Raw(msgspec.json.encode(spelt))


def wire_name(name: str) -> str:
    """A name that no provider refuses in the history."""
    return NOT_IN_NAMES.sub("_", name)[:NAME_CHARS_MAX] or "_"


def wire_id(id_: str) -> str:
    """An id that no provider refuses, and that no other id of the conversation becomes."""
    if IDS.fullmatch(id_):
        return id_
    mark = blake2b(id_.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{NOT_IN_NAMES.sub('_', id_)[:40]}_{mark}"


def noticed(text: str) -> str:
    """A notice for an API in which only user and model speak: it is not the user's word."""
    return f"<runtime-notice>\n{text}\n</runtime-notice>"
