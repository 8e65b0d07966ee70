"""Sorting: what of all that was seen is a reply of the conversation, and what is beside it.

A request that offers no tools where others do is beside the conversation (a title, a summary),
unless it asks for a last word on results. What failed, and what broke off and was asked for again,
goes before the step that it became in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import cast
from urllib.parse import parse_qsl

from faultloop.bench.recording.offered import offered
from faultloop.bench.recording.redaction import Redactor
from faultloop.bench.recording.replies import meaning
from faultloop.bench.recording.replies.meaning import Json, Meaning, decoded
from faultloop.bench.recording.seen import Answered, Exchange, Packed, unpacked
from faultloop.fakes.conversation import Conversation
from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import BadRequest, HttpRequest
from faultloop.fakes.recorded import Aside, Chunk, DialectName, Recorded
from faultloop.fakes.routing import Found, NoSuchRoute, find

HEADERS = frozenset(
    {
        "content-type",
        "cache-control",
        "retry-after",
        "retry-after-ms",
        "x-should-retry",
        "request-id",
        "x-request-id",
        "openai-version",
        "openai-processing-ms",
    }
)
HEADER_PREFIXES = ("x-ratelimit-", "anthropic-ratelimit-")
"""Headers of an answer that clients act on; all others stay unwritten."""

EVENT_STREAM = "text/event-stream"


@dataclass(slots=True, kw_only=True)
class Reply:
    """One answer to a request for a reply."""

    conversation: Conversation
    asked: Json
    """The request's body."""
    recorded: Recorded
    meant: Meaning
    failures: list[Recorded] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """The model came to an end with it."""
        failed = self.recorded.is_failure or self.recorded.broken
        return not failed and self.meant.finish is not None


@dataclass(slots=True, kw_only=True)
class Sorted:
    """All that was seen, without secrets."""

    replies: list[Reply] = field(default_factory=list)
    """Of the conversation, in the order of their requests."""
    beside: list[Reply] = field(default_factory=list)
    asides: list[Aside] = field(default_factory=list)
    unread: int = 0
    """Answers that are not kept, for they came compressed and nobody could look into them."""

    @property
    def astray(self) -> int | None:
        """The number of the first step, from 1, whose request does not go on from the step before,
        although that made calls: another conversation's, it seems."""
        for number, (before, reply) in enumerate(pairwise(self.replies), 2):
            ids = [call.id for call in before.meant.calls if call.id]
            asked = reply.conversation
            if ids and asked.continues is None and not any(one in asked.raw for one in ids):
                return number
        return None


def sort(seen: Sequence[Exchange], redactor: Redactor) -> Sorted:
    """Take apart what was seen."""
    found = Sorted()
    replies: list[Reply] = []
    for exchange in seen:
        if exchange.answered is None or exchange.mcp:
            continue
        try:
            answered = unpacked(exchange.answered)
        except Packed:
            found.unread += 1
            continue
        reply = _reply(exchange, answered, redactor)
        if reply is not None:
            replies.append(reply)
        elif not answered.broken:
            recorded, _ = _recorded(None, answered, redactor, wants_stream=False)
            path = redactor.text(exchange.path)
            aside = Aside(method=exchange.method, path=path, recorded=recorded)
            if not found.asides or _is_other(aside, found.asides[-1]):
                found.asides.append(aside)
    offer_tools = any(reply.conversation.tools for reply in replies)
    for reply in replies:
        is_beside = offer_tools and _is_beside(reply.conversation)
        (found.beside if is_beside else found.replies).append(reply)
    found.replies = _tried_again(found.replies)
    found.beside = _tried_again(found.beside)
    return found


def _is_other(aside: Aside, before: Aside) -> bool:
    same_place = (aside.method, aside.path) == (before.method, before.path)
    return not (same_place and aside.recorded.data == before.recorded.data)


def _is_beside(conversation: Conversation) -> bool:
    messages = conversation.messages
    return not conversation.tools and not (messages and messages[-1].role == "tool")


def _tried_again(replies: list[Reply]) -> list[Reply]:
    """The steps: each with what was answered to the tries before it."""
    steps: list[Reply] = []
    failures: list[Recorded] = []
    for number, reply in enumerate(replies):
        following = replies[number + 1] if number + 1 < len(replies) else None
        if not reply.is_whole and following is not None and _is_same(reply, following):
            failures.append(reply.recorded)
        else:
            reply.failures, failures = failures, []
            steps.append(reply)
    return steps


def _is_same(reply: Reply, following: Reply) -> bool:
    """Whether the next request does not go on from this reply."""
    if reply.recorded.is_failure:
        return True
    return len(following.conversation.messages) <= len(reply.conversation.messages)


# --- one exchange ---------------------------------------------------------------------------


def _reply(exchange: Exchange, answered: Answered, redactor: Redactor) -> Reply | None:
    """None: it is no answer to a request for a reply."""
    headers = dict(exchange.headers)
    try:
        place = find(exchange.method, exchange.path, headers)
    except NoSuchRoute:
        return None
    if place.route.service != "reply":
        return None
    body = exchange.body
    if headers.get("content-encoding", "") in ("gzip", "deflate"):
        body = _unpacked_body(exchange)
    conversation = _asked(place, exchange, headers, body)
    recorded, meant = _recorded(
        place.dialect.name, answered, redactor, wants_stream=conversation.streaming
    )
    return Reply(
        conversation=conversation,
        asked=decoded(body.decode(errors="replace")),
        recorded=recorded,
        meant=meant,
    )


def _unpacked_body(exchange: Exchange) -> bytes:
    try:
        packed = Answered(status=0, headers=exchange.headers, chunks=[exchange.body], after_ms=[0])
        return b"".join(unpacked(packed).chunks)
    except Packed:
        return b""


def _asked(place: Found, exchange: Exchange, headers: dict[str, str], body: bytes) -> Conversation:
    query = dict(parse_qsl(exchange.query, keep_blank_values=True))
    request = HttpRequest(place.route, exchange.path, query, headers, body, place.words)
    dialect = place.dialect if place.route.variant is None else place.route.variant(request)
    try:
        return dialect.parse(request)
    except BadRequest:  # a field that is new to us, say; its tools are what matters here
        value = decoded(body.decode(errors="replace"))
        return Conversation(messages=(), tools=tuple(tool.name for tool in offered(value)))


def _recorded(
    dialect: str | None, answered: Answered, redactor: Redactor, *, wants_stream: bool
) -> tuple[Recorded, Meaning]:
    chunks = redactor.chunks(answered.chunks)
    body = b"".join(chunks)
    kind = answered.header("content-type")
    is_stream = EVENT_STREAM in kind or body.lstrip().startswith(b"[")
    is_ok = dialect is not None and answered.status < 400
    meant = meaning(dialect, body, streamed=is_stream) if dialect and is_ok else Meaning()
    headers = {
        name: redactor.text(value)
        for name, value in answered.headers
        if name in HEADERS or name.startswith(HEADER_PREFIXES)
    }
    recorded = Recorded(
        dialect=cast(DialectName | None, dialect),
        status=answered.status,
        headers=headers,
        streamed=wants_stream or EVENT_STREAM in kind,
        id=meant.id.removeprefix(DIALECTS[dialect].id_prefix) if dialect else "",
        prompt_tokens=meant.prompt_tokens,
        completion_tokens=meant.completion_tokens,
        broken=answered.broken and not (answered.let_go and meant.finish is not None),
        redacted=chunks != answered.chunks,
        body=_pieces(chunks, answered.after_ms),
    )
    return recorded, meant


def _pieces(chunks: Iterable[bytes], after_ms: Iterable[int]) -> tuple[Chunk, ...]:
    """The pieces of which something is left; time that passed before others is not lost."""
    pieces, waited_ms = [], 0
    for data, after in zip(chunks, after_ms, strict=True):
        waited_ms += after
        if data:
            pieces.append(Chunk.of(data, after_ms=waited_ms))
            waited_ms = 0
    return tuple(pieces)
