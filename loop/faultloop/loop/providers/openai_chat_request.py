"""A request to a model, spelt in OpenAI's Chat Completions (SPEC L1, X3).

Only spelling: the history has been repaired before (SPEC D6), and nothing is left out or moved.
Two things a provider would refuse for ever are spelt so that it does not: arguments that are no
JSON object, and tool names that no tool could have.
"""

from __future__ import annotations

import re
from typing import Any, Literal, assert_never

from faultloop.loop.arguments import replayable
from faultloop.loop.message import AssistantMessage, Message, Notice, ResultMessage, UserMessage
from faultloop.loop.providers.port import ModelRequest, ProviderFailure

NoticeRole = Literal["system", "developer", "user"]

NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")
NAME_CHARS_MAX = 64
"""OpenAI's pattern for function names is `^[a-zA-Z0-9_-]{1,64}$`, also in the history."""


def body(request: ModelRequest, *, notice_role: NoticeRole) -> dict[str, Any]:
    """The JSON body of a request."""
    spelt: dict[str, Any] = {"model": request.model, "messages": []}
    if request.system:
        spelt["messages"].append({"role": "system", "content": request.system})
    spelt["messages"].extend(message(said, notice_role=notice_role) for said in request.messages)
    if request.tools:
        spelt["tools"] = [tool(face) for face in request.tools]
    if request.output_tokens_max is not None:
        spelt["max_completion_tokens"] = request.output_tokens_max
    if request.stream:
        spelt["stream"] = True
        spelt["stream_options"] = {"include_usage": True}
    return spelt


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
            "function": {"name": _name(call.name), "arguments": replayable(call.arguments)},
        }
        for call in said.calls
    ]
    return {"role": "assistant", "content": said.text or None, "tool_calls": calls}


def tool(face: dict[str, Any]) -> dict[str, Any]:
    """A contract's model face as an entry of `tools`; strict where asked for and possible (C11)."""
    function = {key: face[key] for key in ("name", "description", "parameters")}
    wanted = face.get("strict", "off")
    if wanted != "off":
        if takes_strict(face["parameters"]):
            function["strict"] = True
        elif wanted == "required":
            raise ProviderFailure(
                "rejected",
                f"{face['name']} requires strict decoding, but its parameters do not allow it:"
                " every object must list all its properties as required and set"
                " additionalProperties to false",
            )
    return {"type": "function", "function": function}


def takes_strict(schema: object) -> bool:
    """Whether OpenAI accepts this schema under `strict`: every object closed, all required."""
    if isinstance(schema, list):
        return all(map(takes_strict, schema))
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object" or "properties" in schema:
        properties = schema.get("properties", {})
        closed = schema.get("additionalProperties") is False
        if not closed or set(schema.get("required", ())) != set(properties):
            return False
        return all(map(takes_strict, properties.values()))
    return all(takes_strict(part) for part in schema.values() if isinstance(part, dict | list))


def _name(name: str) -> str:
    return NOT_IN_NAMES.sub("_", name)[:NAME_CHARS_MAX] or "_"
