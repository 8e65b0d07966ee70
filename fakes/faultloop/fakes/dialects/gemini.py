"""Gemini's generateContent, as published: whole responses, chunks, counts, models, failures.

Key order, spacing, escapes, line ends and what is left out are those of Google's servers, so that
a client which parses by hand meets what it will meet in life. The model is one of the generation
that gives calls ids and signs the first of a reply.

`streamGenerateContent` has two spellings: events where the request says `alt=sse`, as all SDKs do,
else a JSON array. Failures of the latter are an array too.
"""

from __future__ import annotations

from faultloop.fakes.asgi import Headers
from faultloop.fakes.conversation import Conversation
from faultloop.fakes.dialects.dialect import Dialect, Frame, HttpRequest, Route, Spelling
from faultloop.fakes.dialects.gemini_complaints import bulleted
from faultloop.fakes.dialects.gemini_errors import failure
from faultloop.fakes.dialects.gemini_failures import FAILURES
from faultloop.fakes.dialects.gemini_json import document, indented
from faultloop.fakes.dialects.gemini_models import MODELS, model
from faultloop.fakes.dialects.gemini_parts import (
    arguments,
    broken_call,
    candidate,
    parts,
    text_tokens,
    usage,
)
from faultloop.fakes.dialects.gemini_request import check_key, check_model, read, read_body
from faultloop.fakes.dialects.gemini_stream import CHARS_PER_TOKEN, Chunks
from faultloop.fakes.reply import Reply, ReplyCall

_JSON_TYPE = ("content-type", "application/json; charset=UTF-8")
_EVENTS_TYPE = ("content-type", "text/event-stream")

_ALWAYS: Headers = (
    ("vary", "Origin"),
    ("vary", "X-Origin"),
    ("vary", "Referer"),
    ("server", "scaffolding on HTTPServer2"),
    ("x-xss-protection", "0"),
    ("x-frame-options", "SAMEORIGIN"),
    ("x-content-type-options", "nosniff"),
)
"""What Google's front end adds to every answer, as recorded (zereight/gitlab-mcp #166). Left out:
`server-timing`, and `alt-svc`, which would send a client to a port where nobody listens."""

VERSIONS = ("v1beta", "v1", "v1alpha")
"""All are the same here. The current SDK asks under `v1`, the agents under `v1beta`."""


class Gemini:
    """The dialect; `array`: it spells streams and their failures as JSON arrays."""

    name = "gemini"
    id_prefix = ""
    repeats = False
    failures = FAILURES

    def __init__(self, *, array: bool = False) -> None:
        self._array = array

    @property
    def routes(self) -> tuple[Route, ...]:
        """Where it is reached."""
        return ROUTES

    def parse(self, request: HttpRequest) -> Conversation:
        """Read a request for a reply. Raises BadRequest; never anything else."""
        return read(request)

    def aside(self, request: HttpRequest) -> bytes:
        """A count of tokens, a model, or the list of models."""
        check_key(request)
        if "model" not in request.words:
            return document(MODELS)
        check_model(request)
        if request.route.path.endswith(":countTokens"):
            return _count(request.body)
        return document(model(request.words["model"]))

    def says(self, call: ReplyCall) -> bool:
        """Only a call whose arguments are a JSON object."""
        return arguments(call.arguments) is not None

    def told(self, call: ReplyCall, *, streamed: bool) -> str:
        """As it is; no text at all is no arguments."""
        return call.arguments if call.arguments.strip() else "{}"

    def whole(self, reply: Reply, frame: Frame) -> bytes:
        """A GenerateContentResponse."""
        lost = [call for call in reply.calls if not self.says(call)]
        broken = broken_call(lost[0].tool, lost[0].arguments) if lost else None
        return document(
            {
                "candidates": [candidate(parts(reply, frame), reply.finish, broken)],
                "usageMetadata": usage(
                    reply.prompt_tokens,
                    reply.completion_tokens - reply.reasoning_tokens,
                    reply.reasoning_tokens,
                ),
                "modelVersion": frame.model,
                "responseId": reply.id,
            }
        )

    def stream(self, reply: Reply, frame: Frame) -> Spelling:
        """Begin a stream of GenerateContentResponses."""
        return Chunks(reply, frame, array=self._array)

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
        """A google.rpc.Status. Gemini gives requests no ids and points at fields in words."""
        body = failure(status=status, code=code, message=message, retry_after_s=retry_after_s)
        return b"[" + indented(body) + b"\n]\n" if self._array else document(body)

    def headers(self, *, streamed: bool, reply_id: str) -> Headers:
        """Headers of a reply, content type first."""
        return _EVENTS_TYPE if streamed and not self._array else _JSON_TYPE, *_ALWAYS

    def error_headers(
        self, *, status: int = 500, retry_after_s: float | None = None, request_id: str = ""
    ) -> Headers:
        """Headers of a failure, content type first; when to come again is told in the body."""
        return _JSON_TYPE, *_ALWAYS


def _count(body: bytes) -> bytes:
    """A CountTokensResponse, by the same estimate as the counts of replies."""
    read = read_body(body, "CountTokensRequest")
    if read.bullets:
        raise bulleted(list(read.bullets))
    tokens = len(read.text) // CHARS_PER_TOKEN
    counted = {"totalTokens": tokens, **text_tokens("promptTokensDetails", tokens)}
    return document({name: value for name, value in counted.items() if value})


GEMINI: Dialect = Gemini()
_ARRAY: Dialect = Gemini(array=True)


def _spelling(request: HttpRequest) -> Dialect:
    return GEMINI if request.query.get("alt") == "sse" else _ARRAY


def _routes(version: str) -> tuple[Route, ...]:
    models = f"/{version}/models"
    one = f"{models}/{{model}}"
    # Others have their own lists at /v1/models; who asks Gemini for its own shows its key.
    header = "x-goog-api-key" if version == "v1" else None
    return (
        Route(method="POST", path=f"{one}:generateContent", service="reply"),
        Route(
            method="POST",
            path=f"{one}:streamGenerateContent",
            service="reply",
            variant=_spelling,
        ),
        Route(method="POST", path=f"{one}:countTokens", service="aside"),
        Route(method="GET", path=models, service="aside", header=header),
        Route(method="GET", path=one, service="aside", header=header),
    )


ROUTES = tuple(route for version in VERSIONS for route in _routes(version))
