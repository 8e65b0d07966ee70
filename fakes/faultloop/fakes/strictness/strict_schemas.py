"""A tool that asks for strict decoding has a schema of the subset that strict decoding knows.

What is omitted is not judged: Responses makes a schema strict by itself then, Chat Completions does
without (OpenAI's guide to function calling).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.strictness.rule import Row, Rule, Words

_OPEN = "'additionalProperties' is required to be supplied and to be false."
_LISTED = "'required' is required to be supplied and to be an array including every key in "

Place = tuple[str, ...]


def not_openais(conversation: Conversation) -> Words | None:
    """The first strict tool that OpenAI cannot decode strictly."""
    for tool in conversation.strict:
        flaw = _openais(tool.schema)
        if flaw:
            return {"name": tool.name, "path": tool.path, "flaw": flaw}
    return None


def not_anthropics(conversation: Conversation) -> Words | None:
    """The first strict tool that leaves an object open."""
    for tool in conversation.strict:
        if _is_open(tool.schema):
            return {"path": tool.path}
    return None


@lru_cache(maxsize=256)  # the same tools come with every request of a conversation
def _openais(spelt: bytes) -> str:
    for place, schema in _objects(msgspec.json.decode(spelt)):
        found = _openai_flaw(schema)
        if found:
            return f"In context=({_tuple(place)}), {found}"
    return ""


@lru_cache(maxsize=256)
def _is_open(spelt: bytes) -> bool:
    schemas = _objects(msgspec.json.decode(spelt))
    return any(schema.get("additionalProperties") is not False for _, schema in schemas)


def _openai_flaw(schema: dict[str, Any]) -> str:
    if schema.get("additionalProperties") is not False:
        return _OPEN
    known, required = _named(schema, "properties"), schema.get("required")
    named = required if isinstance(required, list) else []
    for name in known:
        if name not in named:
            return f"{_LISTED}properties. Missing '{name}'."
    for name in named:
        if name not in known:
            return f"{_LISTED}properties. Extra required key '{name}' supplied."
    return ""


def _objects(schema: object, place: Place = ()) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Every schema of an object in a schema, with the way to it, from outside in."""
    if not isinstance(schema, dict):
        return
    kind = schema.get("type")
    if kind == "object" or (isinstance(kind, list) and "object" in kind) or "properties" in schema:
        yield place, schema
    for word in ("properties", "$defs", "definitions"):
        for name, inner in _named(schema, word).items():
            yield from _objects(inner, (*place, word, name))
    yield from _objects(schema.get("items"), (*place, "items"))
    several = schema.get("anyOf")
    for number, inner in enumerate(several if isinstance(several, list) else ()):
        yield from _objects(inner, (*place, "anyOf", str(number)))


def _named(schema: dict[str, Any], word: str) -> dict[str, Any]:
    inner = schema.get(word)
    return inner if isinstance(inner, dict) else {}


def _tuple(place: Place) -> str:
    """As Python shows a tuple, without its brackets; the API is visibly made in it."""
    shown = ", ".join(f"'{word}'" for word in place)
    return f"{shown}," if len(place) == 1 else shown


_SENTENCE = "Invalid schema for function '{name}': {flaw}"
_CODE = "invalid_function_parameters"

RULE = Rule(
    law="A tool that asks for strict decoding has a schema of the subset that it knows.",
    rows={
        "openai_chat": Row(
            not_openais,
            _SENTENCE,
            "xemantic/xemantic-ai-tool-schema #37 (open object), Effect-TS/effect #6009 (missing), "
            "dotnet/extensions #6302 (extra)",
            param="{path}",
            code=_CODE,
        ),
        "openai_responses": Row(
            not_openais,
            _SENTENCE,
            "lastmile-ai/openai-agents-mcp #2, openai/openai-agents-python #1023",
            param="{path}",
            code=_CODE,
        ),
        "anthropic_messages": Row(
            not_anthropics,
            "{path}: For 'object' type, 'additionalProperties' must be explicitly set to false",
            "vercel/ai #20681 (measured, by way of Bedrock)",
        ),
    },
)
