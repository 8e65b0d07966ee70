"""OpenAI Chat Completions, as published: whole objects, chunks as server-sent events, errors.

Key order, null fields, indentation and the blank line after each event are those of the real API,
so that a client which parses by hand meets what it will meet in life. Left out: the `obfuscation`
padding of chunks, which a request may switch off; and `reasoning_content`, which other servers add:
OpenAI tells of thoughts only how many tokens they had.
"""

from __future__ import annotations

import math
from typing import Any, assert_never

import msgspec

from faultloop.fakes.asgi import Headers
from faultloop.fakes.conversation import Conversation
from faultloop.fakes.dialects.dialect import Dialect, Frame, HttpRequest, Route, Spelling
from faultloop.fakes.dialects.openai_chat_request import read
from faultloop.fakes.dialects.openai_failures import CHAT, limits
from faultloop.fakes.dialects.openai_models import MODELS, model
from faultloop.fakes.reply import (
    CallArguments,
    CallBegan,
    Delta,
    EndMark,
    Finished,
    Garbled,
    Noise,
    NoiseForm,
    Opened,
    ProviderError,
    Reply,
    ReplyCall,
    Text,
    Thought,
    Unclosed,
    Usage,
)

FINGERPRINT = "fp_faultloop"
SERVICE_TIER = "default"
VERSION = "2020-10-01"

_ERROR_TYPES = {429: "requests"}
"""`type` of an error by status; other 4xx are `invalid_request_error`, 5xx `server_error`."""

COMMENT = b": keep-alive\n\n"
UNKNOWN_EVENT = b'event: gateway.metrics\ndata: {"type":"gateway.metrics","queue_ms":3}\n\n'
"""What stands between the events of a stream and says nothing, as gateways put it there."""

_encode = msgspec.json.Encoder().encode


class OpenAIChat:
    """The dialect."""

    name = "openai_chat"
    id_prefix = "chatcmpl-"
    repeats = False
    failures = CHAT
    routes = (
        Route(method="POST", path="/v1/chat/completions", service="reply"),
        Route(method="GET", path="/v1/models", service="aside"),
        Route(method="GET", path="/v1/models/{model}", service="aside"),
    )

    def parse(self, request: HttpRequest) -> Conversation:
        """Read a request. Raises BadRequest; never anything else."""
        return read(request.body)

    def aside(self, request: HttpRequest) -> bytes:
        """The list of models, or one of them."""
        name = request.words.get("model")
        return _document(MODELS if name is None else model(name))

    def says(self, call: ReplyCall) -> bool:
        """Any call: its arguments are said as they are."""
        return True

    def told(self, call: ReplyCall, *, streamed: bool) -> str:
        """As it is."""
        return call.arguments

    def whole(self, reply: Reply, frame: Frame) -> bytes:
        """A `chat.completion` object."""
        message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
        if reply.calls:
            message["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.tool, "arguments": call.arguments},
                }
                for call in reply.calls
            ]
        elif message["content"] is None:
            message["content"] = ""
        message |= {"refusal": None, "annotations": []}
        if reply.is_refusal:
            message |= {"content": None, "refusal": reply.text}
        choice = {
            "index": 0,
            "message": message,
            "logprobs": None,
            "finish_reason": reply.finish,
        }
        return _document(
            {
                "id": self.id_prefix + reply.id,
                "object": "chat.completion",
                "created": frame.created_s,
                "model": frame.model,
                "choices": [choice],
                "usage": _usage(
                    reply.prompt_tokens, reply.completion_tokens, reply.reasoning_tokens
                ),
                "service_tier": SERVICE_TIER,
                "system_fingerprint": FINGERPRINT,
            }
        )

    def stream(self, reply: Reply, frame: Frame) -> Spelling:
        """Begin a stream of `chat.completion.chunk` objects."""
        return _Chunks(reply, frame, id_=self.id_prefix + reply.id)

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
        """Headers of a reply, content type first."""
        content_type = "text/event-stream; charset=utf-8" if streamed else "application/json"
        return (
            ("content-type", content_type),
            ("openai-version", VERSION),
            ("x-request-id", f"req_{reply_id}"),
        )

    def error_headers(
        self, *, status: int = 500, retry_after_s: float | None = None, request_id: str = ""
    ) -> Headers:
        """Headers of a failure; Retry-After in whole seconds, and to the millisecond beside it."""
        headers: Headers = (("content-type", "application/json"),)
        if request_id:
            headers = (*headers, ("x-request-id", f"req_{request_id}"))
        if status == 429:
            headers += limits(used_up_for_s=retry_after_s or 0)
        if retry_after_s is None:
            return headers
        return (
            *headers,
            ("retry-after", str(math.ceil(retry_after_s))),
            ("retry-after-ms", str(round(retry_after_s * 1000))),
        )


class _Chunks:
    """A reply as chunks: the same frame around every delta, spelt once."""

    def __init__(self, reply: Reply, frame: Frame, *, id_: str) -> None:
        around = _encode(
            {
                "id": id_,
                "object": "chat.completion.chunk",
                "created": frame.created_s,
                "model": frame.model,
                "service_tier": SERVICE_TIER,
                "system_fingerprint": FINGERPRINT,
            }
        )
        self._open = b"data: " + around[:-1] + b',"choices":['
        self._delta = self._open + b'{"index":0,"delta":'
        # With include_usage every chunk has the field, and it is null but in the last of them.
        close = b'],"usage":null}\n\n' if frame.usage else b"]}\n\n"
        self._before_finish = b',"logprobs":null,"finish_reason":'
        self._after_finish = b"}" + close
        self._unfinished = self._before_finish + b"null" + self._after_finish
        self._usage = frame.usage
        said_in = b'{"refusal":' if reply.is_refusal else b'{"content":'
        self._before_text = self._delta + said_in
        self._after_text = b"}" + self._unfinished
        has_content = reply.text or not reply.calls
        self._content = "" if has_content and not reply.is_refusal else None

    def event(self, delta: Delta) -> bytes:
        """One chunk, the end mark, or nothing where no usage was asked for."""
        if isinstance(delta, Text):
            return self._before_text + _encode(delta.text) + self._after_text
        match delta:
            case CallArguments(index=index, text=text):
                piece = {"index": index, "function": {"arguments": text}}
                return self._chunk({"tool_calls": [piece]})
            case CallBegan(index=index, id=id_, tool=tool):
                return self._chunk({"tool_calls": [_began(index, id_, tool)]})
            case Opened():
                return self._chunk({"role": "assistant", "content": self._content, "refusal": None})
            case Finished(finish=finish):
                reason = self._before_finish + _encode(finish) + self._after_finish
                return self._delta + b"{}" + reason
            case Usage(
                prompt_tokens=prompt, completion_tokens=completion, reasoning_tokens=reasoning
            ):
                if not self._usage:
                    return b""
                used = _usage(prompt, completion, reasoning)
                return self._open + b'],"usage":' + _encode(used) + b"}\n\n"
            case Thought():
                return b""  # the API tells only how many tokens they had
            case EndMark():
                return b"data: [DONE]\n\n"
            case ProviderError(message=message):
                error = OPENAI_CHAT.error(status=500, code=None, message=message)
                return b"data: " + msgspec.json.format(error, indent=-1) + b"\n\n"
            case Noise(form=form):
                return self._noise(form)
            case Garbled():
                return self._delta + b'{"content":"\n\n'
            case Unclosed():
                return b""  # no block has an end here
            case _:
                assert_never(delta)

    def _noise(self, form: NoiseForm) -> bytes:
        match form:
            case "comment":
                return COMMENT
            case "unknown_event":
                return UNKNOWN_EVENT
            case "null_delta":
                return self._delta + b"null" + self._unfinished
            case "no_choices":
                return self._open + self._after_finish.removeprefix(b"}")

    def _chunk(self, delta: dict[str, Any]) -> bytes:
        return self._delta + _encode(delta) + self._unfinished


def _began(index: int, id_: str | None, tool: str | None) -> dict[str, Any]:
    """How a call begins; what is not said is left out."""
    named = {} if tool is None else {"name": tool}
    known = {} if id_ is None else {"id": id_}
    function = {**named, "arguments": ""}
    return {"index": index, **known, "type": "function", "function": function}


def _usage(prompt_tokens: int, completion_tokens: int, reasoning_tokens: int) -> dict[str, Any]:
    return {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": reasoning_tokens,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }


def _document(value: dict[str, Any]) -> bytes:
    """JSON as the API sends it when it does not stream: indented, with a newline at its end."""
    return msgspec.json.format(_encode(value), indent=2) + b"\n"


OPENAI_CHAT: Dialect = OpenAIChat()
