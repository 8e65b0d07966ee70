"""A request to a model, spelt in OpenAI's Responses (SPEC L1, X3).

A conversation is a flat list of items there: messages, calls and their outputs. It is said whole in
each request and nothing is to be kept at the provider, so no item bears the id that it was given
and none has to bring the reasoning back that it came after.
"""

from __future__ import annotations

from typing import Any, assert_never

import msgspec

from faultloop.loop.arguments import replayable
from faultloop.loop.contract.rendering import openai_responses
from faultloop.loop.message import AssistantMessage, Message, Notice, ResultMessage, UserMessage
from faultloop.loop.providers.openai_chat_request import NoticeRole
from faultloop.loop.providers.port import ModelRequest
from faultloop.loop.providers.spelling import Offered, Spelt, raw, wire_id, wire_name


class Speller:
    """Spells the requests of one session."""

    def __init__(self, *, notice_role: NoticeRole) -> None:
        self._items = Spelt(lambda said, _: [raw(item) for item in items(said, notice_role)])
        self._tools = Offered(openai_responses.render)

    def body(self, request: ModelRequest) -> bytes:
        """The JSON body of this request. Raises ProviderFailure for one that cannot be."""
        spelt: dict[str, Any] = {"model": request.model}
        if request.system:
            spelt["instructions"] = request.system
        spelt["input"] = [item for said in self._items.of(request.messages) for item in said]
        if request.tools:
            spelt["tools"] = self._tools.of(request.tools, request.strict)
        if request.output_tokens_max is not None:
            spelt["max_output_tokens"] = request.output_tokens_max
        if request.temperature is not None:
            spelt["temperature"] = request.temperature
        if request.stream:
            spelt["stream"] = True
        spelt["store"] = False
        return msgspec.json.encode(spelt)


def items(said: Message, notice_role: NoticeRole) -> list[dict[str, Any]]:
    """One message as items. A notice comes under the runtime's role: it is not the user's word."""
    match said:
        case UserMessage():
            return [{"role": "user", "content": said.text}]
        case AssistantMessage():
            return _assistant(said)
        case ResultMessage():
            id_ = wire_id(said.call_id)
            return [{"type": "function_call_output", "call_id": id_, "output": said.content}]
        case Notice():
            return [{"role": notice_role, "content": said.text}]
        case _:
            assert_never(said)


def _assistant(said: AssistantMessage) -> list[dict[str, Any]]:
    text = [{"role": "assistant", "content": said.text}] if said.text or not said.calls else []
    calls = [
        {
            "type": "function_call",
            "call_id": wire_id(call.id),
            "name": wire_name(call.name),
            "arguments": replayable(call.arguments),
        }
        for call in said.calls
    ]
    return [*text, *calls]
