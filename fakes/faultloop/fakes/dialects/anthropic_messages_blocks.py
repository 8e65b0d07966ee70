"""Reading one message of a Messages API request: its content blocks become messages of ours.

A user's message can hold results of calls, pictures and text at once, so one message on the wire
can be several here, in the order of its blocks: each result one, each run of text between them one.
An assistant's message stays one: its text, and its calls. Pictures, documents, thinking and the
blocks of tools that Anthropic runs are accepted and say nothing; a message of nothing else still is
one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import msgspec

from faultloop.fakes.conversation import Message, Role, SaidCall
from faultloop.fakes.dialects.anthropic_messages_complaints import bad
from faultloop.fakes.dialects.anthropic_messages_fields import (
    Object,
    an_object,
    cached,
    flag,
    identity,
    no_others,
    tag,
    text,
)

NEWEST = "2026-10-21"
"""The API's version from which on it is stricter with what stands in whose message."""

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}
"""`system` in the middle of a conversation is a message of newer models."""

_ASSISTANTS = frozenset({"redacted_thinking", "server_tool_use", "thinking", "tool_use"})
"""Blocks that only an assistant's message can hold."""

_BLOCKS = _ASSISTANTS | {
    "advisor_tool_result",
    "bash_code_execution_tool_result",
    "code_execution_tool_result",
    "compaction",
    "container_upload",
    "document",
    "fallback",
    "image",
    "mcp_tool_listing",
    "mcp_tool_result",
    "mcp_tool_use",
    "search_result",
    "text",
    "text_editor_code_execution_tool_result",
    "tool_addition",
    "tool_removal",
    "tool_result",
    "tool_search_tool_result",
    "web_fetch_tool_result",
    "web_search_tool_result",
}

_IN_RESULTS = frozenset(
    {"browser_state", "document", "image", "search_result", "text", "tool_reference"}
)
"""Blocks that a tool's result can hold."""

_IN_SYSTEM = frozenset({"text", "tool_addition", "tool_removal"})
_TEXT_ONLY = frozenset({"text"})

_MESSAGE_FIELDS = frozenset({"clear_at", "content", "output_config", "role"})
_FIELDS = {
    "redacted_thinking": frozenset({"data", "type"}),
    "text": frozenset({"cache_control", "citations", "text", "type"}),
    "thinking": frozenset({"signature", "thinking", "type"}),
    "tool_result": frozenset(
        {"cache_control", "content", "is_error", "tool_use_id", "toolset_name", "type"}
    ),
    "tool_use": frozenset(
        {"cache_control", "caller", "id", "input", "name", "toolset_name", "type"}
    ),
}
"""Fields of the blocks whose fields are judged."""

_NAME_CHARS_MAX = 200
_encode = msgspec.json.Encoder().encode


_Part = tuple[Object, str, str]
"""A block, where it is, and what it is."""


class Heard(NamedTuple):
    """A message of the wire, read."""

    role: Role
    messages: tuple[Message, ...]
    is_empty: bool
    """It has no content at all, which the last message may if it is an assistant's."""
    cached: int
    """How many of its blocks have a cache_control."""


@lru_cache(maxsize=1024)  # a conversation comes again with every request of it
def heard(spelt: bytes, at: int, version: str) -> Heard:
    """The message of these bytes; `at` is its index, for complaints.

    Raises BadRequest, and DecodeError where it is no JSON.
    """
    path = f"messages.{at}"
    message = an_object(msgspec.json.decode(spelt), path)
    name = text(message, "role", path)
    role = _ROLES.get(name)
    if role is None:
        raise bad("role_tool" if name == "tool" else "role", got=name)
    no_others(message, _MESSAGE_FIELDS, path)
    if "content" not in message:
        if role == "system" and message.get("output_config"):
            return Heard(role, (), False, 0)  # it only sets how what follows is said
        raise bad("missing", f"{path}.content")
    content = message["content"]
    if isinstance(content, str):
        if content and not content.strip():
            raise bad("blank_text", "messages")
        return Heard(role, (Message(role=role, text=content),), not content, 0)
    if not isinstance(content, list):
        raise bad("list", f"{path}.content")
    kinds = _IN_SYSTEM if role == "system" else _BLOCKS
    blocks = [
        (an_object(block, f"{path}.content.{number}"), f"{path}.content.{number}")
        for number, block in enumerate(content)
    ]
    parts = [(block, where, tag(block, kinds, where)) for block, where in blocks]
    _check_places(role, parts, path, version)
    read = _user(parts) if role == "user" else (_said(role, parts),)
    return Heard(role, read, not parts, cached(content))


def _check_places(role: Role, parts: list[_Part], path: str, version: str) -> None:
    """Complain of the first block that is in the wrong party's message."""
    for block, where, kind in parts:
        if role == "user" and kind in _ASSISTANTS:
            raise bad("not_of_users", path, block=kind)
        if role == "assistant" and kind == "tool_result":
            raise bad("not_of_assistants", path, block=kind)
        if version != NEWEST:
            continue
        if role == "assistant" and kind == "document":
            raise bad("document_of_assistants", path)
        if role == "user" and kind == "text" and block.get("citations"):
            raise bad("cited_by_users", f"{where}.text.citations")


def system_text(system: object) -> str:
    """The text of a request's `system`, a string or blocks of text."""
    if system is None:
        return ""
    if isinstance(system, str):
        return system
    if not isinstance(system, list):
        raise bad("list", "system")
    texts = []
    for number, spelt in enumerate(system):
        where = f"system.{number}"
        block = an_object(spelt, where)
        if tag(block, _TEXT_ONLY, where) == "text":
            texts.append(_text(block, where, "system"))
    return "".join(texts)


def _said(role: Role, parts: list[_Part]) -> Message:
    """An assistant's message (or one of the system's)."""
    texts: list[str] = []
    calls: list[SaidCall] = []
    for block, where, kind in parts:
        match kind:
            case "text":
                texts.append(_text(block, f"{where}.text", "messages"))
            case "tool_use":
                calls.append(_call(block, f"{where}.tool_use"))
            case "thinking":
                for field in ("signature", "thinking"):
                    text(block, field, f"{where}.thinking")
                no_others(block, _FIELDS[kind], f"{where}.{kind}")
            case "redacted_thinking":
                text(block, "data", f"{where}.{kind}")
                no_others(block, _FIELDS[kind], f"{where}.{kind}")
            case _:
                pass  # said to Anthropic's own tools, or by them
    return Message(role=role, text="".join(texts), calls=tuple(calls))


def _user(parts: list[_Part]) -> tuple[Message, ...]:
    """A user's message: its results one by one, and what stands between them."""
    read: list[Message] = []
    texts: list[str] | None = None
    for block, where, kind in parts:
        if kind == "tool_result":
            if texts is not None:
                read.append(Message(role="user", text="".join(texts)))
                texts = None
            read.append(_result(block, f"{where}.tool_result"))
            continue
        texts = [] if texts is None else texts
        if kind == "text":
            texts.append(_text(block, f"{where}.text", "messages"))
    if texts is not None or not read:
        read.append(Message(role="user", text="".join(texts or ())))
    return tuple(read)


def _call(block: Object, path: str) -> SaidCall:
    id_ = identity(block, "id", path)
    name = text(block, "name", path)
    if not name:
        raise bad("too_short", f"{path}.name", least=1)
    if len(name) > _NAME_CHARS_MAX:
        raise bad("too_long", f"{path}.name", most=_NAME_CHARS_MAX)
    if "input" not in block:
        raise bad("missing", f"{path}.input")
    if not isinstance(block["input"], dict):
        raise bad("dictionary", f"{path}.input")
    no_others(block, _FIELDS["tool_use"], path)
    return SaidCall(id=id_, name=name, arguments=_encode(block["input"]).decode())


def _result(block: Object, path: str) -> Message:
    id_ = identity(block, "tool_use_id", path)
    content = block.get("content")
    said = _in_result(content, path)
    if flag(block, "is_error", path) and not content:
        raise bad("empty_error", path)
    no_others(block, _FIELDS["tool_result"], path)
    return Message(role="tool", text=said, result_of=id_)


def _in_result(content: object, path: str) -> str:
    """The text of a result; pictures and documents in it say nothing."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise bad("list", f"{path}.content")
    texts = []
    for number, spelt in enumerate(content):
        where = f"{path}.content.{number}"
        block = an_object(spelt, where)
        if tag(block, _IN_RESULTS, where) == "text":
            texts.append(text(block, "text", f"{where}.text"))
    return "".join(texts)


def _text(block: Object, path: str, whole: str) -> str:
    """What a block of text says; `whole` is what the API complains of where it says nothing."""
    said = text(block, "text", path)
    if not said:
        if block.get("cache_control") is not None:
            raise bad("cached_empty_text", path)
        raise bad("empty_text", whole)
    if not said.strip():
        raise bad("blank_text", whole)
    no_others(block, _FIELDS["text"], path)
    return said
