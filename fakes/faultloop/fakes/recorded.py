"""What a real provider once sent, kept byte for byte so that it can be sent again.

A step of a script may keep the wire form of its reply. It is sent as it is where the request wants
that dialect and shape and no fault strikes; else the step is spelt anew from what it means. What
was recorded beside the conversation (lists of models, titles, counts of tokens) is a `Recording`.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from faultloop.fakes.script import Step

DialectName = Literal["openai_chat", "openai_responses", "anthropic_messages", "gemini"]

FAILURE_STATUS = 400
"""From here on an HTTP status tells of a failure."""

_RETRY_HEADERS = (("retry-after-ms", 1000), ("retry-after", 1))
"""Where a failure says when to try again, the most exact first, each with its units a second."""

MESSAGE_CHARS_MAX = 500
"""As much of a failure's body is its message where nothing in it says which part is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A piece of a body as it arrived, in one of the two forms."""

    after_ms: int = 0
    """Milliseconds since the piece before it; for the first, since the request."""
    text: str = ""
    base64: str = ""
    """In place of `text` where the piece alone is no UTF-8."""

    @property
    def data(self) -> bytes:
        """Its bytes."""
        return base64.b64decode(self.base64) if self.base64 else self.text.encode()

    @classmethod
    def of(cls, data: bytes, *, after_ms: int = 0) -> Chunk:
        """A piece of these bytes, as text where it is text."""
        try:
            return cls(after_ms=after_ms, text=data.decode())
        except UnicodeDecodeError:
            return cls(after_ms=after_ms, base64=base64.b64encode(data).decode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One HTTP answer as it was on the wire."""

    dialect: DialectName | None = None
    """Of whose requests it is the answer; none for what is no reply of a model."""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    """Those that clients read; others, and all that could hold a secret, are not kept."""
    streamed: bool = False
    id: str = ""
    """The reply's own id, without the dialect's prefix."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    broken: bool = False
    """The connection broke before the body's end."""
    redacted: bool = False
    """These are not the provider's own bytes: something in them was replaced."""
    body: tuple[Chunk, ...] = ()

    @property
    def data(self) -> bytes:
        """The whole body."""
        return b"".join(chunk.data for chunk in self.body)

    @property
    def is_failure(self) -> bool:
        """The provider did not do what it was asked for."""
        return self.status >= FAILURE_STATUS

    def fits(self, dialect: str, *, streaming: bool) -> bool:
        """Whether a request of this kind can be answered with it as it is."""
        return self.dialect == dialect and (self.is_failure or self.streamed == streaming)

    @property
    def message(self) -> str:
        """What a failure's body says to people."""
        return _message(self.data)

    @property
    def retry_after_s(self) -> float | None:
        """When a failure allows another try."""
        for header, a_second in _RETRY_HEADERS:
            after = self.headers.get(header, "")
            if after.replace(".", "", 1).isdecimal():
                return float(after) / a_second
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """An answer to something else than a request for a reply."""

    method: str
    path: str
    """Below the base URL, without its query."""
    recorded: Recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What was recorded beside the conversation, and how all of it is said again."""

    pace: float = 0.0
    """How much of the recorded time passes between the pieces of a body: 0 none, 1 all of it."""
    beside: tuple[Step, ...] = ()
    """Replies to requests that were none of the conversation's, titles say, in their order."""
    asides: tuple[Aside, ...] = ()


NOTHING = Recording()


class Asides:
    """The recorded asides of one play: each is answered in its order, and the last one stays."""

    def __init__(self, asides: tuple[Aside, ...]) -> None:
        self._left: dict[tuple[str, str], list[Recorded]] = {}
        for aside in asides:
            self._left.setdefault((aside.method, aside.path), []).append(aside.recorded)

    def take(self, method: str, path: str) -> Recorded | None:
        """The answer that is due, if there is one."""
        there = self._left.get((method, path))
        if not there:
            return None
        return there.pop(0) if len(there) > 1 else there[0]


def _message(body: bytes) -> str:
    text = body.decode(errors="replace")
    try:
        said = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return text[:MESSAGE_CHARS_MAX]
    while isinstance(said, Mapping | list):
        inner = said[0] if isinstance(said, list) and said else said
        if not isinstance(inner, Mapping):
            break
        said = inner.get("error", inner.get("message"))
    return said if isinstance(said, str) else text[:MESSAGE_CHARS_MAX]
