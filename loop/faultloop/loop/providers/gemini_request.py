"""A request to a model, spelt in Gemini's generateContent (SPEC L1, X3).

User and model speak in contents of parts. Results are parts of a content of their own, as many as
the model's last content has calls, and each says the name of its tool again. Nobody speaks for the
runtime, so a notice is a user's part that says whose word it is.

Newer models sign the first call of each of their contents and want the signature back. A history
keeps none, so the value stands there that the API documents for calls without one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, assert_never

import msgspec

from faultloop.loop.arguments import replayable
from faultloop.loop.contract.rendering import gemini
from faultloop.loop.message import (
    AssistantMessage,
    Call,
    Message,
    Notice,
    ResultMessage,
    UserMessage,
)
from faultloop.loop.providers.port import ModelRequest
from faultloop.loop.providers.spelling import Offered, Spelt, noticed, raw, wire_id, wire_name

UNSIGNED = "skip_thought_signature_validator"
"""In the place of a signature (ai.google.dev, Thought signatures; earendil-works/pi #1829)."""

UNSIGNED_MODELS = ("gemini-1", "gemini-2")
"""Models that sign nothing, and are told nothing (octos-org/octos #1897)."""


class Said(NamedTuple):
    """One message of the conversation."""

    role: Literal["user", "model", "results"]
    """Results are the user's too, but stand by themselves."""
    parts: tuple[msgspec.Raw, ...]
    calls: tuple[dict[str, Any], ...] = ()
    """Behind the parts; not spelt yet, since the first of a content may be signed."""


class Speller:
    """Spells the requests of one session."""

    def __init__(self) -> None:
        self._contents = Spelt(said)
        self._tools = Offered(gemini.render)

    def body(self, request: ModelRequest) -> bytes:
        """The JSON body of this request. Raises ProviderFailure for one that cannot be."""
        spelt: dict[str, Any] = {}
        if request.system:
            spelt["systemInstruction"] = {"parts": [{"text": request.system}]}
        is_signed = not request.model.removeprefix("models/").startswith(UNSIGNED_MODELS)
        conversation = self._contents.of(request.messages)
        spelt["contents"] = _contents(conversation, is_signed=is_signed)
        if request.tools:
            declared = self._tools.of(request.tools, request.strict)
            spelt["tools"] = [{"functionDeclarations": declared}]
        config = {
            "maxOutputTokens": request.output_tokens_max,
            "temperature": request.temperature,
            "seed": request.seed,
        }
        chosen = {name: value for name, value in config.items() if value is not None}
        if chosen:
            spelt["generationConfig"] = chosen
        return msgspec.json.encode(spelt)


def said(message: Message, before: Sequence[Message]) -> Said:
    """One message; a result says the name of its tool again, which its call has said before."""
    match message:
        case UserMessage():
            return Said("user", (raw({"text": message.text}),))
        case AssistantMessage():
            text = (raw({"text": message.text}),) if message.text else ()
            return Said("model", text, tuple(map(_call, message.calls)))
        case ResultMessage():
            answer = {
                "id": wire_id(message.call_id),
                "name": wire_name(_name(message.call_id, before)),
                "response": {"output" if message.ok else "error": message.content},
            }
            return Said("results", (raw({"functionResponse": answer}),))
        case Notice():
            return Said("user", (raw({"text": noticed(message.text)}),))
        case _:
            assert_never(message)


def _call(call: Call) -> dict[str, Any]:
    args = msgspec.Raw(replayable(call.arguments).encode())
    made = {"id": wire_id(call.id), "name": wire_name(call.name), "args": args}
    return {"functionCall": made}


def _name(call_id: str, before: Sequence[Message]) -> str:
    for message in reversed(before):
        if isinstance(message, AssistantMessage):
            names = {call.id: call.name for call in message.calls}
            if call_id in names:
                return names[call_id]
    return ""


def _contents(conversation: Sequence[Said], *, is_signed: bool) -> list[dict[str, Any]]:
    contents: list[dict[str, Any]] = []
    last = ""
    for role, parts, calls in conversation:
        if not (parts or calls):
            continue  # an empty content is refused
        if role != last:
            contents.append({"role": "user" if role == "results" else role, "parts": []})
        last = role
        said = contents[-1]["parts"]
        said += parts
        for call in calls:
            is_first = not any("functionCall" in part for part in said if isinstance(part, dict))
            said.append({**call, "thoughtSignature": UNSIGNED} if is_first and is_signed else call)
    return contents
