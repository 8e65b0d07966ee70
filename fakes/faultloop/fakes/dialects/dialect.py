"""What a dialect is: one provider's wire format, in both directions and without I/O.

A dialect says where it is reached (`routes`), reads a request into a `Conversation`, and spells a
reply as one whole body or, delta by delta, as a stream. What else its API answers (a list of
models, a count of tokens) it answers itself, as an `aside`. It decides nothing: not what is said
(`provider`), not what is rejected for its meaning (`strictness`), not where the stream breaks
(`faults`). It rejects only what it cannot read, or what the real API rejects for its shape, by
raising `BadRequest`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol

from faultloop.fakes.asgi import Headers
from faultloop.fakes.conversation import Conversation
from faultloop.fakes.dialects.failing import Failures
from faultloop.fakes.reply import Delta, Reply, ReplyCall


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One place where a dialect is reached, below the start's URL."""

    method: Literal["GET", "POST"]
    path: str
    """`/v1/chat/completions`; `{model}` in it stands for any text without slash or colon."""
    service: Literal["reply", "aside"]
    """Whether the model replies there; an aside is neither a request of the play nor recorded."""
    header: str | None = None
    """Only requests that bear this header: two APIs can have one path."""
    variant: Callable[[HttpRequest], Dialect] | None = None
    """Which spelling of the dialect answers a request, where the request chooses among several."""


class HttpRequest(NamedTuple):
    """A request as it arrived."""

    route: Route
    path: str
    """Below the start's URL."""
    query: Mapping[str, str]
    headers: Mapping[str, str]
    """By lower-case name."""
    body: bytes
    words: Mapping[str, str]
    """What the path has in place of the route's `{model}`."""


class Frame(NamedTuple):
    """What stands around the deltas of one reply."""

    created_s: int
    """Unix time."""
    model: str
    """As the request names it."""
    usage: bool = True
    """The request asked for token counts, or the dialect always sends them."""
    echo: Mapping[str, Any] = MappingProxyType({})
    """What a reply repeats of its request, in dialects that do (`Conversation.echo`)."""


class Spelling(Protocol):
    """A streamed reply being spelt; keeps what the dialect must remember between deltas."""

    def event(self, delta: Delta) -> bytes:
        """The bytes of one delta, ready to send; empty where the dialect sends nothing for it.

        Most deltas are text: it is asked for first, and not by `match`, which takes far longer.
        """
        ...


class Dialect(Protocol):
    """One provider's wire format."""

    @property
    def name(self) -> str:
        """As in subject.toml: `openai_chat`, ..."""
        ...

    @property
    def routes(self) -> tuple[Route, ...]:
        """Where it is reached."""
        ...

    @property
    def id_prefix(self) -> str:
        """What stands before a reply's id: `chatcmpl-`, `msg_`, ..."""
        ...

    @property
    def repeats(self) -> bool:
        """Whether a stream says each item again, whole, when it is over: what one event did not
        tell is told all the same."""
        ...

    @property
    def failures(self) -> Failures:
        """What it says when it fails by itself."""
        ...

    def parse(self, request: HttpRequest) -> Conversation:
        """Read a request for a reply. Raises BadRequest; never anything else."""
        ...

    def aside(self, request: HttpRequest) -> bytes:
        """The body that answers a request for something else, with status 200. Raises BadRequest;
        never anything else."""
        ...

    def says(self, call: ReplyCall) -> bool:
        """Whether it has a form for a call. One that it has none for never reaches a client."""
        ...

    def told(self, call: ReplyCall, *, streamed: bool) -> str:
        """A call's argument text as a client gets it."""
        ...

    def whole(self, reply: Reply, frame: Frame) -> bytes:
        """The body of a reply that is not streamed."""
        ...

    def stream(self, reply: Reply, frame: Frame) -> Spelling:
        """Begin to spell a streamed reply."""
        ...

    def error(
        self,
        *,
        status: int,
        code: str | None,
        message: str,
        param: str | None = None,
        retry_after_s: float | None = None,
        request_id: str = "",
    ) -> bytes:
        """The body of a failure, in the provider's own form. `request_id` has no prefix."""
        ...

    def headers(self, *, streamed: bool, reply_id: str) -> Headers:
        """Headers of a reply with status 200, content type first."""
        ...

    def error_headers(
        self, *, status: int = 500, retry_after_s: float | None = None, request_id: str = ""
    ) -> Headers:
        """Headers of a failure, content type first. `request_id` as in the failure's body."""
        ...
