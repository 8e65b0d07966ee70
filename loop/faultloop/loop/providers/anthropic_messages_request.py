"""A request to a model, spelt in Anthropic's Messages (SPEC L1, X3).

User and assistant speak in turns there: what one side says in a row is one message, and the results
of calls are blocks of the user's, before anything else in it. Nobody speaks for the runtime, so a
notice is a user's block that says whose word it is. Blank text is refused and left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, assert_never

import msgspec

from faultloop.loop.arguments import replayable
from faultloop.loop.contract.rendering import anthropic_messages
from faultloop.loop.message import AssistantMessage, Message, Notice, ResultMessage, UserMessage
from faultloop.loop.providers.port import ModelRequest
from faultloop.loop.providers.spelling import Offered, Spelt, noticed, raw, wire_id, wire_name

OUTPUT_TOKENS_MAX = 16_384
"""What a reply may have where the request does not say: the API wants to be told."""


class Said(NamedTuple):
    """One message of the conversation: who speaks, and the blocks."""

    role: Literal["user", "assistant"]
    blocks: tuple[msgspec.Raw, ...]


class Speller:
    """Spells the requests of one session."""

    def __init__(self) -> None:
        self._messages = Spelt(lambda message, _: said(message))
        self._tools = Offered(anthropic_messages.render)

    def body(self, request: ModelRequest) -> bytes:
        """The JSON body of this request. Raises ProviderFailure for one that cannot be."""
        limit = request.output_tokens_max
        spelt: dict[str, Any] = {
            "model": request.model,
            "max_tokens": OUTPUT_TOKENS_MAX if limit is None else limit,
        }
        if request.system.strip():
            spelt["system"] = request.system
        spelt["messages"] = _in_turns(self._messages.of(request.messages))
        if request.tools:
            spelt["tools"] = self._tools.of(request.tools, request.strict)
        if request.temperature is not None:
            spelt["temperature"] = request.temperature
        if request.stream:
            spelt["stream"] = True
        return msgspec.json.encode(spelt)


def said(message: Message) -> Said:
    """One message."""
    match message:
        case UserMessage():
            return Said("user", _text(message.text) or _text("(no text)"))
        case AssistantMessage():
            calls = [
                {
                    "type": "tool_use",
                    "id": wire_id(call.id),
                    "name": wire_name(call.name),
                    "input": msgspec.Raw(replayable(call.arguments).encode()),
                }
                for call in message.calls
            ]
            return Said("assistant", (*_text(message.text), *map(raw, calls)))
        case ResultMessage():
            result: dict[str, Any] = {
                "type": "tool_result",
                "tool_use_id": wire_id(message.call_id),
                "content": message.content,
            }
            if not message.ok and message.content:  # an error must say something
                result["is_error"] = True
            return Said("user", (raw(result),))
        case Notice():
            return Said("user", _text(noticed(message.text)))
        case _:
            assert_never(message)


def _text(text: str) -> tuple[msgspec.Raw, ...]:
    return (raw({"type": "text", "text": text}),) if text.strip() else ()


def _in_turns(conversation: Sequence[Said]) -> list[dict[str, Any]]:
    turns: list[dict[str, Any]] = []
    for role, blocks in conversation:
        if not blocks:
            continue
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        else:
            turns.append({"role": role, "content": list(blocks)})
    return turns
