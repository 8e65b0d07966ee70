"""Responses as `openai` hears it: its events, its items, and how a response ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

import openai
from openai.types.responses import (
    Response,
    ResponseOutputItem,
    ResponseStatus,
    ResponseStreamEvent,
)
from openai.types.responses.response import IncompleteDetails

from faultloop.bench.sdks import lines, typed
from faultloop.bench.sdks.ears.ear import GO, MODEL, NAME, RESULT, SCHEMA
from faultloop.bench.sdks.ears.openai_sdk import OpenAIEar
from faultloop.bench.sdks.heard import Asked, Heard, HeardCall, Json, Wire, canonical
from faultloop.bench.sdks.kinds import Family
from faultloop.bench.sdks.unsaid_responses import EVENTS, ITEMS
from faultloop.fakes.hosting import BaseUrls
from faultloop.fakes.script import Finish

UNDOCUMENTED = ("store", "frequency_penalty", "presence_penalty", "item.status", "output.status")
"""Fields that recordings of the API have, and the types of some releases of the SDK have not."""

NAMESPACE = "mcp__ledger"

_TOOLS: Mapping[str, Json] = {
    "function": {"type": "function", "name": NAME, "parameters": SCHEMA, "strict": False},
    "custom": {"type": "custom", "name": NAME, "description": "Any text."},
    "namespace": {
        "type": "namespace",
        "name": NAMESPACE,
        "description": "A ledger.",
        "tools": [{"type": "function", "name": NAME, "parameters": SCHEMA, "strict": False}],
    },
}
"""How the tool can be declared."""


class OpenAIResponsesEar(OpenAIEar):
    """The ear."""

    dialect = "openai_responses"
    id_prefix = "resp_"
    finishes: Mapping[Finish, str] = {
        "stop": "completed",
        "tool_calls": "completed",
        "length": "incomplete: max_output_tokens",
        "content_filter": "incomplete: content_filter",
    }

    @property
    def families(self) -> Sequence[Family]:
        """Types of events and of items, and how a response can end."""
        reasons = IncompleteDetails.model_fields["reason"].annotation
        return (
            Family(name="event types", defined=typed.tags(ResponseStreamEvent), reasons=EVENTS),
            Family(name="item types", defined=typed.tags(ResponseOutputItem), reasons=ITEMS),
            Family(
                name="statuses",
                defined=frozenset(get_args(ResponseStatus)),
                reasons={
                    "cancelled": "only of a response in the background",
                    "queued": "only of a response in the background",
                },
            ),
            Family(
                name="reasons to be incomplete",
                defined=frozenset(get_args(get_args(reasons)[0])),
                reasons={
                    "max_messages": "there is no limit of messages",
                    "steered": "only over a WebSocket",
                },
            ),
        )

    def ask(self, urls: BaseUrls, asked: Asked, *, streamed: bool) -> Heard:
        """One reply."""
        api = self.at(urls).responses
        body = _body(asked)
        if streamed:
            last: Any = None
            with api.stream(**body) as stream:
                for event in stream:
                    if event.type in ("response.completed", "response.incomplete"):
                        last = event.response
                return _heard(last, stream._response.headers.get("x-request-id"), ())
        raw = api.with_raw_response.create(**body)
        said = raw.http_response.json()
        self._see(said)
        return _heard(raw.parse(), raw.request_id, _refused(Response, said))

    def wire(self, urls: BaseUrls, asked: Asked) -> Wire:
        """One streamed reply, line by line."""
        create = self.at(urls).responses.with_streaming_response.create
        with create(**_body(asked), stream=True) as response:
            read = lines.read(response.iter_bytes())
        complaints = []
        for number, (name, data) in enumerate(read.events):
            complaints += _refused(ResponseStreamEvent, data)
            if name != data["type"]:
                complaints.append(f"an event is called {name}, and its type is {data['type']}")
            if data.get("sequence_number") != number:
                complaints.append(f"event {number} has number {data.get('sequence_number')}")
            if "response" in data:
                self._see(data["response"])
        complaints += lines.untyped(response.headers)
        complaints += contradictions([each.data for each in read.events])
        self.seen.add("event types", [each.data["type"] for each in read.events])
        return Wire(
            pieces=tuple(
                each.data["delta"]
                for each in read.events
                if each.data["type"] in ("response.output_text.delta", "response.refusal.delta")
            ),
            thoughts=tuple(
                each.data["delta"]
                for each in read.events
                if each.data["type"] == "response.reasoning_summary_text.delta"
            ),
            indexes=tuple(
                each.data["output_index"]
                for each in read.events
                if each.data["type"] == "response.output_item.added"
            ),
            comments=read.comments,
            complaints=tuple(complaints),
        )

    def _see(self, response: Json) -> None:
        details = response["incomplete_details"] or {}
        self.seen.add("item types", [item["type"] for item in response["output"]])
        self.seen.add("statuses", [response["status"]])
        self.seen.add("reasons to be incomplete", [details.get("reason")])

    def breaks_off(self, urls: BaseUrls) -> str:
        """What both the `error` event and the response that failed say: this SDK raises neither."""
        told: set[str] = set()
        for event in self.at(urls).responses.create(**_body(Asked()), stream=True):
            self.seen.add("event types", [event.type])
            if event.type == "error":
                told.add(event.message)
            elif event.type == "response.failed":
                self.seen.add("statuses", [event.response.status])
                told.add(event.response.error.message)
        return " / ".join(sorted(told))

    def answered(self, items: Sequence[Any], heard: Heard) -> list[Any]:
        """The conversation so far, the reply, and the results."""
        results = [
            {"type": "function_call_output", "call_id": call.id, "output": RESULT}
            for call in heard.calls
        ]
        begun = items or ({"role": "user", "content": GO},)
        return [*begun, *heard.echo, *results]

    def count(self, urls: BaseUrls) -> int:
        """How many tokens a request has."""
        counted = self.at(urls).responses.input_tokens.count(model=MODEL, input=GO * 100)
        found: int = counted.input_tokens
        return found


def contradictions(said: Sequence[Json]) -> Iterator[str]:
    """Where a stream tells an item otherwise in its pieces or at its end than with the response:
    agents take calls from `output_item.done`, this SDK from `response.completed`."""
    output: list[Json] = []
    for data in said:
        output = data["response"]["output"] if "response" in data else output
    done = {d["output_index"]: d["item"] for d in said if d["type"] == "response.output_item.done"}
    if done != dict(enumerate(output)):
        yield f"the items that are done are {list(done.values())}, and the response has {output}"
    for index, item in enumerate(output):
        told = _inmost(item)
        if told is None:
            continue
        field = next(name for name in _TOLD if name in told)
        of_item = [
            d for d in said if (d.get("item_id"), d.get("output_index")) == (item["id"], index)
        ]
        pieces = "".join(d["delta"] for d in of_item if d["type"].endswith(".delta"))
        ends = [d[field] for d in of_item if d["type"].endswith(_TOLD[field])]
        if pieces != told[field] or ends != [told[field]]:
            yield f"item {index} is told otherwise in pieces: {pieces!r}, at their end {ends}"


def _inmost(item: Json) -> Json | None:
    """What of an item comes in pieces; reasoning without a summary has nothing."""
    told: Json | None
    match item["type"]:
        case "message":
            (told,) = item["content"]
        case "reasoning":
            (told,) = item["summary"] or (None,)
        case _:
            told = item
    return told


_TOLD = {
    "text": "_text.done",
    "refusal": "refusal.done",
    "arguments": "function_call_arguments.done",
    "input": "custom_tool_call_input.done",
}
"""What an item tells, by field, and how the event at the end of its pieces is called."""


def _refused(kind: Any, value: Json) -> list[str]:
    return typed.refused(kind, value, known=UNDOCUMENTED)


def _body(asked: Asked) -> dict[str, Any]:
    earlier = asked.continues or openai.omit
    return {
        "model": MODEL,
        "input": list(asked.items) or GO,
        "tools": [_TOOLS[asked.form]],
        "max_output_tokens": asked.max_tokens,
        "previous_response_id": earlier,
        "reasoning": {"summary": "auto"} if asked.thinks else openai.omit,
        "include": ["reasoning.encrypted_content"] if asked.thinks else openai.omit,
    }


def _heard(response: Any, request_id: str | None, complaints: Iterable[str]) -> Heard:
    parts = [part for item in response.output if item.type == "message" for part in item.content]
    calls = [
        HeardCall(
            item.call_id,
            item.name,
            item.input if item.type == "custom_tool_call" else canonical(item.arguments),
            getattr(item, "namespace", None) or "",
        )
        for item in response.output
        if item.type in ("function_call", "custom_tool_call")
    ]
    details, usage = response.incomplete_details, response.usage
    thoughts = [
        part for item in response.output if item.type == "reasoning" for part in item.summary
    ]
    return Heard(
        text=response.output_text,
        refusal="".join(part.refusal for part in parts if part.type == "refusal"),
        thought="".join(part.text for part in thoughts),
        calls=tuple(calls),
        finish=f"{response.status}: {details.reason}" if details else response.status,
        id=response.id,
        model=response.model,
        request_id=request_id,
        prompt_tokens=usage and usage.input_tokens,
        completion_tokens=usage and usage.output_tokens,
        total_tokens=usage and usage.total_tokens,
        reasoning_tokens=usage and usage.output_tokens_details.reasoning_tokens,
        echo=tuple(item.model_dump(exclude_none=True) for item in response.output),
        complaints=tuple(complaints),
    )
