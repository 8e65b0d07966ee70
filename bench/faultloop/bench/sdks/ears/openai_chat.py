"""Chat Completions as `openai` hears it: chunks have no types, so their fields are looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

import openai
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.chat.chat_completion import Choice

from faultloop.bench.sdks import lines, typed
from faultloop.bench.sdks.ears.ear import GO, MODEL, NAME, RESULT, SCHEMA
from faultloop.bench.sdks.ears.openai_sdk import OpenAIEar
from faultloop.bench.sdks.heard import Asked, Heard, HeardCall, Wire, canonical
from faultloop.bench.sdks.kinds import Family
from faultloop.fakes.hosting import BaseUrls
from faultloop.fakes.script import Finish

_OF_AUDIO = "only of a reply in audio, and the fake model does not speak"
_OF_LOGPROBS = "only where a request asks for `logprobs`, which the fake model has none of"
_OF_ANOTHER_DETAIL = "counts another modality or a cache that is written; a text reply has none"

CHUNK_REASONS: Mapping[str, str] = {
    "choices.delta.audio.*": _OF_AUDIO,
    "choices.delta.function_call.*": "deprecated; `tool_calls` took its place",
    "choices.logprobs.*": _OF_LOGPROBS,
    "moderation.*": "only where a request asks for `moderation`",
    "obfuscation": "padding against eavesdroppers that a request may switch off; left out",
    "usage.*.text_tokens": _OF_ANOTHER_DETAIL,
    "usage.*.image_tokens": _OF_ANOTHER_DETAIL,
    "usage.*.cache_write_tokens": _OF_ANOTHER_DETAIL,
}


class OpenAIChatEar(OpenAIEar):
    """The ear."""

    dialect = "openai_chat"
    id_prefix = "chatcmpl-"
    finishes: Mapping[Finish, str] = {
        each: each for each in ("stop", "tool_calls", "length", "content_filter")
    }

    @property
    def families(self) -> Sequence[Family]:
        """Fields of a chunk, and finish reasons: chunks have no types."""
        return (
            Family(
                name="fields of chunks",
                defined=frozenset(typed.fields(ChatCompletionChunk)),
                reasons=CHUNK_REASONS,
            ),
            Family(
                name="finish reasons",
                defined=frozenset(get_args(Choice.model_fields["finish_reason"].annotation)),
                reasons={"function_call": "deprecated; `tool_calls` took its place"},
            ),
        )

    def ask(self, urls: BaseUrls, asked: Asked, *, streamed: bool) -> Heard:
        """One reply."""
        api = self.at(urls).chat.completions
        body = _body(asked)
        if streamed:
            body["stream_options"] = {"include_usage": True}
            try:
                with api.stream(**body) as stream:
                    completion = stream.get_final_completion()
                    return _heard(completion, stream._response.headers.get("x-request-id"), ())
            except (openai.LengthFinishReasonError, openai.ContentFilterFinishReasonError):
                # How its helper tells that it cannot give what tools are called with; whoever wants
                # the message adds up the chunks.
                added_up = ChatCompletionStreamState()
                for chunk in api.create(**body, stream=True):
                    added_up.handle_chunk(chunk)
                return _heard(added_up.current_completion_snapshot, None, ())
        raw = api.with_raw_response.create(**body)
        complaints = typed.refused(ChatCompletion, raw.http_response.json())
        heard = _heard(raw.parse(), raw.request_id, complaints)
        self.seen.add("finish reasons", [heard.finish])
        return heard

    def wire(self, urls: BaseUrls, asked: Asked) -> Wire:
        """One streamed reply, line by line."""
        create: Any = self.at(urls).chat.completions.with_streaming_response.create
        more = {"stream": True, "stream_options": {"include_usage": True}}
        with create(**_body(asked), **more) as response:
            read = lines.read(response.iter_bytes())
        complaints = [*lines.untyped(response.headers), *misshapen(read)]
        chunks = [each.data for each in read.events]
        deltas, calls = [], []
        for chunk in chunks:
            complaints += typed.refused(ChatCompletionChunk, chunk)
            self.seen.add("fields of chunks", typed.said(chunk))
            for choice in chunk["choices"]:
                deltas.append(choice["delta"])
                self.seen.add("finish reasons", [choice["finish_reason"]])
                calls += [call for call in choice["delta"].get("tool_calls", ()) if "id" in call]
        pieces = (delta.get("content") or delta.get("refusal") for delta in deltas)
        return Wire(
            pieces=tuple(piece for piece in pieces if piece),
            indexes=tuple(call["index"] for call in calls),
            comments=read.comments,
            complaints=tuple(complaints),
        )

    def breaks_off(self, urls: BaseUrls) -> str:
        """The error that the stream raises."""
        body = _body(Asked())
        try:
            for _ in self.at(urls).chat.completions.create(**body, stream=True):
                pass
        except openai.APIError as error:
            return error.message
        return ""

    def answered(self, items: Sequence[Any], heard: Heard) -> list[Any]:
        """The conversation so far, the reply, and the results."""
        results = [
            {"role": "tool", "tool_call_id": call.id, "content": RESULT} for call in heard.calls
        ]
        begun = items or ({"role": "user", "content": GO},)
        return [*begun, *heard.echo, *results]

    def count(self, urls: BaseUrls) -> int:
        """The API has no such endpoint."""
        raise NotImplementedError


def misshapen(read: lines.Lines) -> Iterator[str]:
    """What all chunks together have to be."""
    if not read.ends:
        yield "the stream does not end in [DONE]"
    chunks = [each.data for each in read.events]
    if len({chunk["id"] for chunk in chunks}) != 1:
        yield "not all chunks have the same id"
    *others, last = chunks
    finished = [c["finish_reason"] for chunk in chunks for c in chunk["choices"]]
    if sum(map(bool, finished)) != 1 or not finished[-1]:
        yield f"the finish reasons of its chunks are {finished}"
    if last["choices"] or not last["usage"] or any(c.get("usage", 0) is not None for c in others):
        yield "the usage does not come once, at the end, and as null before"
    for chunk in others:
        for choice in chunk["choices"]:
            for call in choice["delta"].get("tool_calls", ()):
                if not isinstance(call["function"].get("arguments"), str):
                    yield f"a piece of a call has no arguments: {call}"


def _body(asked: Asked) -> dict[str, Any]:
    function = {"name": NAME, "parameters": SCHEMA}
    return {
        "model": MODEL,
        "messages": list(asked.items) or [{"role": "user", "content": GO}],
        "tools": [{"type": "function", "function": function}],
        "max_completion_tokens": asked.max_tokens,
    }


def _heard(completion: Any, request_id: str | None, complaints: Iterable[str]) -> Heard:
    (choice,) = completion.choices
    message, usage = choice.message, completion.usage
    echo = message.model_dump(include={"role", "content", "tool_calls", "refusal"})
    for call in echo.get("tool_calls") or ():
        call["function"].pop("parsed_arguments", None)
        call.pop("index", None)
    return Heard(
        text=message.content or "",
        refusal=message.refusal or "",
        calls=tuple(
            HeardCall(call.id, call.function.name, canonical(call.function.arguments))
            for call in message.tool_calls or ()
        ),
        finish=choice.finish_reason,
        id=completion.id,
        model=completion.model,
        request_id=request_id,
        prompt_tokens=usage and usage.prompt_tokens,
        completion_tokens=usage and usage.completion_tokens,
        total_tokens=usage and usage.total_tokens,
        reasoning_tokens=usage and usage.completion_tokens_details.reasoning_tokens,
        echo=({name: value for name, value in echo.items() if value is not None},),
        complaints=tuple(complaints),
    )
