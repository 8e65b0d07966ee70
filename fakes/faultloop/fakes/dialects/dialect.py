"""What a dialect is: one provider's wire format, in both directions and without I/O.

A dialect reads a request into a `Conversation`, and spells a reply as one whole body or, delta by
delta, as a stream. It decides nothing: not what is said (`provider`), not what is rejected for its
meaning (`strictness`), not where the stream breaks (`faults`). It rejects only what it cannot read,
or what the real API rejects for its shape, by raising `BadRequest`.
"""

from __future__ import annotations

from typing import Protocol

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.reply import Delta, Reply

Headers = tuple[tuple[str, str], ...]
"""Lower-case names and values, in sending order."""


class BadRequest(Exception):
    """The request is not one of this dialect; the subject is at fault. Text: the API's own."""

    def __init__(
        self, message: str, *, param: str | None = None, code: str | None = None, status: int = 400
    ) -> None:
        super().__init__(message)
        self.message = message
        self.param = param
        """Path of the offending field, in the provider's own notation."""
        self.code = code
        self.status = status


class Spelling(Protocol):
    """A streamed reply being spelt; keeps what the dialect must remember between deltas."""

    def event(self, delta: Delta) -> bytes:
        """The bytes of one delta, ready to send; empty where the dialect sends nothing for it."""
        ...


class Dialect(Protocol):
    """One provider's wire format."""

    @property
    def name(self) -> str:
        """As in subject.toml: `openai_chat`, ..."""
        ...

    @property
    def path(self) -> str:
        """Path of the endpoint below the start's URL: `/v1/chat/completions`, ..."""
        ...

    def parse(self, body: bytes) -> Conversation:
        """Read a request. Raises BadRequest; never anything else."""
        ...

    def whole(self, reply: Reply, *, created_s: int, model: str) -> bytes:
        """The body of a reply that is not streamed."""
        ...

    def stream(self, reply: Reply, *, created_s: int, model: str, usage: bool) -> Spelling:
        """Begin to spell a streamed reply. `usage`: the request asked for token counts."""
        ...

    def error(
        self, *, status: int, code: str | None, message: str, param: str | None = None
    ) -> bytes:
        """The body of a failure, in the provider's own form."""
        ...

    def headers(self, *, streamed: bool, reply_id: str) -> Headers:
        """Headers of a reply with status 200, content type first."""
        ...

    def error_headers(self, *, retry_after_s: float | None = None) -> Headers:
        """Headers of a failure, content type first."""
        ...
