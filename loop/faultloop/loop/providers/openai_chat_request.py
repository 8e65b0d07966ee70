"""A request to a model, spelt in OpenAI's Chat Completions (SPEC L1, X3)."""

from __future__ import annotations

from typing import Any, Literal, assert_never

import msgspec

from faultloop.loop.arguments import replayable
from faultloop.loop.contract.rendering import openai_chat
from faultloop.loop.message import AssistantMessage, Message, Notice, ResultMessage, UserMessage
from faultloop.loop.providers.port import ModelRequest
from faultloop.loop.providers.spelling import Offered, Spelt, raw, wire_name

NoticeRole = Literal["system", "developer", "user"]


class Speller:
    """Spells the requests of one session."""

    def __init__(self, *, notice_role: NoticeRole) -> None:
        self._messages = Spelt(lambda said, _: raw(message(said, notice_role=notice_role)))
        self._tools = Offered(openai_chat.render)

    def body(self, request: ModelRequest) -> bytes:
        """The JSON body of this request. Raises ProviderFailure for one that cannot be."""
        system = [{"role": "system", "content": request.system}] if request.system else []
        spelt: dict[str, Any] = {"model": request.model}
        spelt["messages"] = [*system, *self._messages.of(request.messages)]
        if request.tools:
            spelt["tools"] = self._tools.of(request.tools, request.strict)
        if request.output_tokens_max is not None:
            spelt["max_completion_tokens"] = request.output_tokens_max
        if request.temperature is not None:
            spelt["temperature"] = request.temperature
        if request.seed is not None:
            spelt["seed"] = request.seed
        if request.stream:
            spelt["stream"] = True
            spelt["stream_options"] = {"include_usage": True}
        return msgspec.json.encode(spelt)


def message(said: Message, *, notice_role: NoticeRole) -> dict[str, Any]:
    """One message. A notice comes under the runtime's role, since it is not the user's word."""
    match said:
        case UserMessage():
            return {"role": "user", "content": said.text}
        case AssistantMessage():
            return _assistant(said)
        case ResultMessage():
            return {"role": "tool", "tool_call_id": said.call_id, "content": said.content}
        case Notice():
            return {"role": notice_role, "content": said.text}
        case _:
            assert_never(said)


def _assistant(said: AssistantMessage) -> dict[str, Any]:
    # Without calls the content must be a string, with calls an empty one is spelt null.
    if not said.calls:
        return {"role": "assistant", "content": said.text}
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": wire_name(call.name), "arguments": replayable(call.arguments)},
        }
        for call in said.calls
    ]
    return {"role": "assistant", "content": said.text or None, "tool_calls": calls}
