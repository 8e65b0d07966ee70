"""OpenAI Responses, as published: a `response` object, its stream of events, errors.

Key order, null fields, indentation and event names are those of recordings of the real API. Left
out: the `obfuscation` padding of deltas, which a request may switch off, the `billing` field, which
comes and goes, and reasoning items: the fake model does not think.

A response ends with its last event; there is no `[DONE]`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from faultloop.fakes.asgi import Headers
from faultloop.fakes.conversation import Conversation
from faultloop.fakes.dialects.dialect import Dialect, Frame, HttpRequest, Route, Spelling
from faultloop.fakes.dialects.openai_chat import OPENAI_CHAT
from faultloop.fakes.dialects.openai_failures import RESPONSES
from faultloop.fakes.dialects.openai_responses_complaints import bad, decoded
from faultloop.fakes.dialects.openai_responses_objects import (
    ENDINGS,
    ID_PREFIX,
    output,
    response,
    usage,
)
from faultloop.fakes.dialects.openai_responses_request import check_key, read
from faultloop.fakes.dialects.openai_responses_stream import Events
from faultloop.fakes.reply import Reply, ReplyCall

CHARS_PER_TOKEN = 4
"""As the provider counts what a request holds."""

_ERROR_TYPES = {429: "requests", 503: "service_unavailable_error"}
"""`type` of an error by status; other 4xx are `invalid_request_error`, 5xx `server_error`."""

_encode = msgspec.json.Encoder().encode


class OpenAIResponses:
    """The dialect."""

    name = "openai_responses"
    id_prefix = ID_PREFIX
    repeats = True
    failures = RESPONSES
    routes = (
        Route(method="POST", path="/v1/responses", service="reply"),
        Route(method="POST", path="/v1/responses/input_tokens", service="aside"),
    )

    def parse(self, request: HttpRequest) -> Conversation:
        """Read a request. Raises BadRequest; never anything else."""
        return read(request.headers, request.body)

    def aside(self, request: HttpRequest) -> bytes:
        """The count of a request's tokens. Raises BadRequest; never anything else."""
        check_key(request.headers)
        body = decoded(request.body)
        if not isinstance(body, dict):
            raise bad("not_json")
        tokens = len(request.body.decode()) // CHARS_PER_TOKEN
        return _document({"object": "response.input_tokens", "input_tokens": tokens})

    def says(self, call: ReplyCall) -> bool:
        """Any call: its arguments are said as they are."""
        return True

    def told(self, call: ReplyCall, *, streamed: bool) -> str:
        """As it is."""
        return call.arguments

    def whole(self, reply: Reply, frame: Frame) -> bytes:
        """A `response` object."""
        tokens = usage(reply.prompt_tokens, reply.completion_tokens, reply.reasoning_tokens)
        items = output(reply, frame)
        id_ = self.id_prefix + reply.id
        return _document(response(id_, frame, ENDINGS[reply.finish], items, tokens))

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
        """An `error` object."""
        usual = "server_error" if status >= 500 else "invalid_request_error"
        kind = _ERROR_TYPES.get(status, usual)
        return _document(
            {"error": {"message": message, "type": kind, "param": param, "code": code}}
        )

    def headers(self, *, streamed: bool, reply_id: str) -> Headers:
        """Headers of a reply: those of the API's other dialect."""
        return OPENAI_CHAT.headers(streamed=streamed, reply_id=reply_id)

    def error_headers(
        self, *, status: int = 500, retry_after_s: float | None = None, request_id: str = ""
    ) -> Headers:
        """Headers of a failure: those of the API's other dialect."""
        return OPENAI_CHAT.error_headers(
            status=status, retry_after_s=retry_after_s, request_id=request_id
        )


def _document(value: dict[str, Any]) -> bytes:
    """JSON as the API sends it when it does not stream: indented, with a newline at its end."""
    return msgspec.json.format(_encode(value), indent=2) + b"\n"


OPENAI_RESPONSES: Dialect = OpenAIResponses()
