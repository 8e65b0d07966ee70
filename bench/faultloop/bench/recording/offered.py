"""Tools as requests declare them, in each provider's own form, and what they were answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from faultloop.bench.recording.replies.meaning import Json, at, decoded, list_at, text_at
from faultloop.fakes.conversation import Conversation

_SCHEMAS = ("parameters", "input_schema", "parametersJsonSchema", "parameters_json_schema")
_GEMINI = ("functionDeclarations", "function_declarations")
_GEMINI_TYPES = frozenset({"OBJECT", "STRING", "INTEGER", "NUMBER", "BOOLEAN", "ARRAY"})


class Offered(NamedTuple):
    """A tool that the model was offered."""

    name: str
    description: str
    parameters: dict[str, Any]


class Answer(NamedTuple):
    """The result of one call as a request brought it back."""

    call: str
    """Its id."""
    tool: str
    args: dict[str, Any]
    text: str


def offered(body: Json) -> Iterator[Offered]:
    """The tools of a request that a client runs itself; those of the provider are left out."""
    for tool in list_at(body, "tools"):
        declared = [one for name in _GEMINI for one in list_at(tool, name)]
        for one in declared or [at(tool, "function") or tool]:
            name = text_at(one, "name")
            schema = next((at(one, key) for key in _SCHEMAS if at(one, key)), {"type": "object"})
            is_own = declared or text_at(tool, "type") in ("", "function", "custom")
            if name and is_own and isinstance(schema, dict):
                yield Offered(name, text_at(one, "description"), _plain(schema))


def answers(conversation: Conversation) -> Iterator[Answer]:
    """The results in a request, each with the call that it answers."""
    calls = {call.id: call for message in conversation.messages for call in message.calls}
    for message in conversation.messages:
        call = calls.get(message.result_of or "")
        if message.role == "tool" and call is not None:
            args = decoded(call.arguments)
            if isinstance(args, dict):
                yield Answer(call.id, call.name, args, message.text)


def _plain(schema: Json) -> Any:
    """Gemini's own schemas spell types in capitals."""
    match schema:
        case dict():
            return {
                key: value.lower() if key == "type" and value in _GEMINI_TYPES else _plain(value)
                for key, value in schema.items()
            }
        case list():
            return [_plain(one) for one in schema]
        case _:
            return schema
