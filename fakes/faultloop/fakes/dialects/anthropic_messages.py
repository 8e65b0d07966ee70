"""Anthropic Messages, as published: whole messages, server-sent events, errors.

Key order and null fields are those of the API in late 2026 (a stream of claude-sonnet-5-5 of
2026-09-29 that a client keeps as its fixture, a whole message of 2026-09-15); JSON is compact, but
for the ping, which is not. Left out: the spaces with which the API pads the data of its events.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from faultloop.fakes.asgi import Headers
from faultloop.fakes.conversation import Conversation
from faultloop.fakes.dialects.anthropic_messages_failures import FAILURES, LIMITS, ORGANIZATION
from faultloop.fakes.dialects.anthropic_messages_input import spelt, tool_input
from faultloop.fakes.dialects.anthropic_messages_request import check_headers, read
from faultloop.fakes.dialects.anthropic_messages_stream import DIRECT, Events, message
from faultloop.fakes.dialects.anthropic_messages_thinking import thinking
from faultloop.fakes.dialects.dialect import Dialect, Frame, HttpRequest, Route, Spelling
from faultloop.fakes.reply import Reply, ReplyCall

_ERROR_TYPES = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""`type` of an error by status; other 4xx are `invalid_request_error`, other 5xx `api_error`."""

_RETRIED = frozenset({408, 409, 429})
"""Statuses below 500 after which `x-should-retry` says that the same may be asked again."""

_MODEL = {
    "type": "model",
    "id": "fake-model",
    "display_name": "Fake Model",
    "created_at": "2026-01-01T00:00:00Z",
    "capabilities": None,
    "max_input_tokens": 1000000,
    "max_tokens": 128000,
    "line": None,
    "lifecycle": "active",
    "deprecated_at": None,
    "retires_at": None,
}
"""The one fake model; requests may name any other."""

_RESET = datetime(2026, 1, 1, tzinfo=UTC)
"""When the limits are full again, where nothing is used up: the time at which every play begins."""

_CHARS_PER_TOKEN = 4


class AnthropicMessages:
    """The dialect."""

    name = "anthropic_messages"
    id_prefix = "msg_"
    repeats = False
    failures = FAILURES
    routes = (
        Route(method="POST", path="/v1/messages", service="reply"),
        Route(method="POST", path="/v1/messages/count_tokens", service="aside"),
        Route(method="GET", path="/v1/models", service="aside", header="anthropic-version"),
        Route(method="GET", path="/v1/models/{model}", service="aside", header="anthropic-version"),
    )

    def parse(self, request: HttpRequest) -> Conversation:
        """Read a request. Raises BadRequest; never anything else."""
        return read(request)

    def aside(self, request: HttpRequest) -> bytes:
        """The list of models, one of them, or how many tokens a request has. Raises BadRequest."""
        if request.route.method == "GET":
            check_headers(request.headers)
            if "model" in request.words:
                return spelt({**_MODEL, "id": request.words["model"]})
            id_ = _MODEL["id"]
            return spelt({"data": [_MODEL], "has_more": False, "first_id": id_, "last_id": id_})
        read(request, counts=True)
        return spelt({"input_tokens": len(request.body) // _CHARS_PER_TOKEN})

    def says(self, call: ReplyCall) -> bool:
        """Any call: its arguments are said as they are."""
        return True

    def told(self, call: ReplyCall, *, streamed: bool) -> str:
        """The text in a stream; in a whole message there is only what can be read of it. No text
        at all is the empty `input` with which each block begins."""
        is_text = streamed and bool(call.arguments.strip())
        return call.arguments if is_text else tool_input(call.arguments).decode()

    def whole(self, reply: Reply, frame: Frame) -> bytes:
        """A `message` object."""
        thought = thinking(reply, frame)
        content: list[dict[str, Any]] = [] if thought is None else [thought.block()]
        if reply.text:
            content.append({"type": "text", "text": reply.text})
        content += (
            {
                "type": "tool_use",
                "id": call.id,
                "name": call.tool,
                "input": msgspec.Raw(tool_input(call.arguments)),
                "caller": DIRECT,
            }
            for call in reply.calls
        )
        id_ = self.id_prefix + reply.id
        return spelt(message(reply, frame, id_=id_, content=content, finish=reply.finish))

    def stream(self, reply: Reply, frame: Frame) -> Spelling:
        """Begin a stream of events."""
        return Events(reply, frame, id_=self.id_prefix + reply.id)

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
        """An `error` object; the API has neither `code` nor `param`."""
        usual = "api_error" if status >= 500 else "invalid_request_error"
        error = {"type": _ERROR_TYPES.get(status, usual), "message": message}
        if status == 413:  # said by the gateway before the API, which knows no requests
            return spelt({"error": error})
        return spelt({"type": "error", "error": error, "request_id": _request_id(request_id)})

    def headers(self, *, streamed: bool, reply_id: str) -> Headers:
        """Headers of a reply, content type first."""
        content_type = "text/event-stream; charset=utf-8" if streamed else "application/json"
        return (
            ("content-type", content_type),
            ("request-id", _request_id(reply_id)),
            ("anthropic-organization-id", ORGANIZATION),
            *_limits(),
        )

    def error_headers(
        self, *, status: int = 500, retry_after_s: float | None = None, request_id: str = ""
    ) -> Headers:
        """Headers of a failure; Retry-After in whole seconds, as the API has it."""
        should_retry = "true" if status >= 500 or status in _RETRIED else "false"
        headers: Headers = (
            ("content-type", "application/json"),
            ("request-id", _request_id(request_id)),
            ("x-should-retry", should_retry),
        )
        if status == 429:
            headers += _limits(used_up_for_s=math.ceil(retry_after_s or 0))
        if retry_after_s is not None:
            headers += (("retry-after", str(math.ceil(retry_after_s))),)
        return headers


def _request_id(request_id: str) -> str:
    return f"req_{request_id or '0' * 24}"


def _limits(used_up_for_s: int | None = None) -> Headers:
    """How much may still be asked; the requests may be used up for a while."""
    headers: list[tuple[str, str]] = []
    for kind, limit in LIMITS.items():
        is_out = kind == "requests" and used_up_for_s is not None
        reset = _RESET + timedelta(seconds=used_up_for_s if is_out and used_up_for_s else 0)
        start = f"anthropic-ratelimit-{kind}"
        headers += (
            (f"{start}-limit", str(limit)),
            (f"{start}-remaining", "0" if is_out else str(limit)),
            (f"{start}-reset", reset.strftime("%Y-%m-%dT%H:%M:%SZ")),
        )
    return tuple(headers)


ANTHROPIC_MESSAGES: Dialect = AnthropicMessages()
