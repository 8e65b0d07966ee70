"""Messages as `anthropic` hears it: the dialect's own words, events and blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

import anthropic
from anthropic.types import (
    ContentBlock,
    Message,
    RawContentBlockDelta,
    RawMessageStreamEvent,
    StopReason,
)

from faultloop.bench.sdks import lines, typed
from faultloop.bench.sdks.ears.ear import GO, MODEL, NAME, RESULT, SCHEMA
from faultloop.bench.sdks.ears.stainless import StainlessEar
from faultloop.bench.sdks.heard import (
    Asked,
    Heard,
    HeardCall,
    Json,
    Trouble,
    Wire,
    canonical,
)
from faultloop.bench.sdks.kinds import Family
from faultloop.fakes.hosting import BaseUrls
from faultloop.fakes.script import Finish

_SERVER = "of a tool that the provider runs itself: such tools are declared here and never called"

BLOCKS: Mapping[str, str] = {
    "redacted_thinking": "only of thinking that is redacted for safety, which no script asks for",
    "server_tool_use": _SERVER,
    "*_tool_result": _SERVER,
    "container_upload": _SERVER,
}
DELTAS: Mapping[str, str] = {
    "citations_delta": "citations are of documents, which the fake model does not read",
}
STOPS: Mapping[str, str] = {
    "stop_sequence": "a script does not look for a request's `stop_sequences`",
    "pause_turn": _SERVER,
    "model_context_window_exceeded": "a request that is too long is rejected before it is answered",
}

_CODES: Mapping[int, str] = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""By status; other 4xx are `invalid_request_error`, other 5xx `api_error`."""


class AnthropicMessagesEar(StainlessEar):
    """The ear."""

    dialect = "anthropic_messages"
    package = "anthropic"
    id_prefix = "msg_"
    finishes: Mapping[Finish, str] = {
        "stop": "end_turn",
        "tool_calls": "tool_use",
        "length": "max_tokens",
        "content_filter": "refusal",
    }
    kinds: Mapping[int, str] = {
        400: "BadRequestError",
        401: "AuthenticationError",
        403: "PermissionDeniedError",
        404: "NotFoundError",
        409: "ConflictError",
        413: "ContentTooLargeError",
        422: "UnprocessableEntityError",
        429: "RateLimitError",
        503: "ServiceUnavailableError",
        504: "GatewayTimeoutError",
        529: "OverloadedError",
    }

    def __init__(self) -> None:
        super().__init__(
            anthropic.Anthropic(
                api_key="none",
                base_url="http://127.0.0.1",
                max_retries=0,
                http_client=anthropic.DefaultHttpxClient(trust_env=False),
            )
        )

    @property
    def families(self) -> Sequence[Family]:
        """Types of events, of deltas and of blocks, and stop reasons."""
        events = typed.tags(RawMessageStreamEvent) | {"ping", "error"}  # read before the types
        return (
            Family(name="event types", defined=events, reasons={}),
            Family(name="delta types", defined=typed.tags(RawContentBlockDelta), reasons=DELTAS),
            Family(name="block types", defined=typed.tags(ContentBlock), reasons=BLOCKS),
            Family(name="stop reasons", defined=frozenset(get_args(StopReason)), reasons=STOPS),
        )

    def at(self, urls: BaseUrls) -> Any:
        """The client of one conversation."""
        return self._client.with_options(base_url=urls.anthropic)

    def ask(self, urls: BaseUrls, asked: Asked, *, streamed: bool) -> Heard:
        """One reply."""
        api = self.at(urls).messages
        body = _body(asked)
        if streamed:
            with api.stream(**body) as stream:
                message = stream.get_final_message()
                return _heard(message, stream.request_id, ())
        raw = api.with_raw_response.create(**body)
        said = raw.http_response.json()
        self.seen.add("block types", [block["type"] for block in said["content"]])
        self.seen.add("stop reasons", [said["stop_reason"]])
        return _heard(raw.parse(), raw.request_id, typed.refused(Message, said))

    def wire(self, urls: BaseUrls, asked: Asked) -> Wire:
        """One streamed reply, line by line."""
        create = self.at(urls).messages.with_streaming_response.create
        with create(**_body(asked), stream=True) as response:
            read = lines.read(response.iter_bytes())
        complaints = []
        for name, data in read.events:
            self._see(data)
            if name != data["type"]:
                complaints.append(f"an event is called {name}, and its type is {data['type']}")
            if name != "ping":
                complaints += typed.refused(RawMessageStreamEvent, data)
        events = [each.data for each in read.events]
        complaints += [*lines.untyped(response.headers), *misshapen(events)]
        deltas = [each["delta"] for each in events if each["type"] == "content_block_delta"]
        return Wire(
            pieces=tuple(each["text"] for each in deltas if each["type"] == "text_delta"),
            thoughts=tuple(each["thinking"] for each in deltas if each["type"] == "thinking_delta"),
            indexes=tuple(
                each["index"] for each in events if each["type"] == "content_block_start"
            ),
            comments=read.comments,
            complaints=tuple(complaints),
        )

    def _see(self, event: Json) -> None:
        self.seen.add("event types", [event["type"]])
        delta = event.get("delta", {})
        self.seen.add("stop reasons", [delta.get("stop_reason")])
        self.seen.add("delta types", [delta.get("type")])
        self.seen.add("block types", [event.get("content_block", {}).get("type")])

    def breaks_off(self, urls: BaseUrls) -> str:
        """The error that the stream raises."""
        try:
            for _ in self.at(urls).messages.create(**_body(Asked()), stream=True):
                pass
        except anthropic.APIStatusError as error:
            body: Any = error.body
            self.seen.add("event types", [body["type"]])
            told: str = body["error"]["message"]
            return told
        return ""

    def trouble(self, error: Exception) -> Trouble | None:
        """A failure of the API."""
        if not isinstance(error, anthropic.APIStatusError):
            return None
        body: Any = error.body
        told = body["error"]["message"] if isinstance(body, dict) else error.message
        return Trouble(
            kind=type(error).__name__,
            status=error.status_code,
            message=told,
            code=body["error"]["type"] if isinstance(body, dict) else None,
            request_id=error.request_id,
            waits_s=self.waits_s(error.response),
            complaints=tuple(_complaints(error)),
        )

    def code_of(self, status: int) -> str | None:
        """`type` of the error."""
        return _CODES.get(status, "api_error" if status >= 500 else "invalid_request_error")

    def answered(self, items: Sequence[Any], heard: Heard) -> list[Any]:
        """The conversation so far, the reply, and the results."""
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": RESULT}
            for call in heard.calls
        ]
        begun = items or ({"role": "user", "content": GO},)
        said = [*begun, {"role": "assistant", "content": list(heard.echo)}]
        return [*said, {"role": "user", "content": results}] if results else said

    def count(self, urls: BaseUrls) -> int:
        """How many tokens a request has."""
        body = {"model": MODEL, "messages": [{"role": "user", "content": GO * 100}]}
        found: int = self.at(urls).messages.count_tokens(**body).input_tokens
        return found


def _body(asked: Asked) -> dict[str, Any]:
    return {
        "model": MODEL,
        "messages": list(asked.items) or [{"role": "user", "content": GO}],
        "tools": [{"name": NAME, "input_schema": SCHEMA}],
        "max_tokens": asked.max_tokens,
        "thinking": {"type": "adaptive"} if asked.thinks else anthropic.omit,
    }


def _heard(message: Any, request_id: str | None, complaints: Iterable[str]) -> Heard:
    usage = message.usage
    echo = [block.model_dump(exclude_none=True, warnings="none") for block in message.content]
    return Heard(
        text="".join(block.text for block in message.content if block.type == "text"),
        thought="".join(block.thinking for block in message.content if block.type == "thinking"),
        calls=tuple(
            HeardCall(block.id, block.name, canonical(block.input))
            for block in message.content
            if block.type == "tool_use"
        ),
        finish=message.stop_reason,
        id=message.id,
        model=message.model,
        request_id=request_id,
        prompt_tokens=usage.input_tokens,
        completion_tokens=usage.output_tokens,
        total_tokens=None,
        reasoning_tokens=usage.output_tokens_details.thinking_tokens,
        echo=tuple(echo),
        complaints=tuple(complaints),
    )


def misshapen(events: Sequence[Json]) -> Iterator[str]:
    """Where the parts of a stream are not in the order that the API keeps."""
    kinds = [each["type"] for each in events if each["type"] != "ping"]
    for kind, place in (("message_start", 0), ("message_delta", -2), ("message_stop", -1)):
        if kinds.count(kind) != 1 or kinds[place] != kind:
            yield f"{kind} is not said once and in its place"
    open_: int | None = None
    for each in events:
        match each["type"].removeprefix("content_block_"):
            case "start" if open_ is None:
                open_ = each["index"]
            case "delta" if open_ == each["index"]:
                pass
            case "stop" if open_ == each["index"]:
                open_ = None
            case "start" | "delta" | "stop":
                yield f"{each['type']} of block {each['index']} comes while {open_} is open"
    if open_ is not None:
        yield f"block {open_} never stops"
    begun = {each["index"] for each in events if "content_block" in each}
    told = {each["index"] for each in events if each["type"] == "content_block_delta"}
    if begun != told:
        yield f"blocks {sorted(begun)} begin, and {sorted(told)} have a delta"


def _complaints(error: anthropic.APIStatusError) -> Iterator[str]:
    # What is too large is refused before the API, by what knows no requests.
    if isinstance(error.body, dict) and error.status_code != 413:
        if error.body.get("request_id") != error.request_id:
            yield f"the body has the request id {error.body.get('request_id')!r}"
        if "x-should-retry" not in error.response.headers:
            yield "it does not say whether to try again"
