"""The items of a Responses request's `input`: what each of them says, or the API's complaint.

Message items, calls and results say something. Everything else that the API knows (reasoning,
compaction, what built-in tools did) is welcome and says nothing. An `item_reference` stands for an
item of an earlier reply: the ids of our items tell whose they are, so it needs no memory.

A conversation is sent again with every request of it, so an item is judged when it is first seen,
and known by its bytes after that.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from faultloop.fakes.conversation import Message, Role, SaidCall
from faultloop.fakes.dialects.openai_responses_complaints import (
    bad,
    decoded,
    required,
    wrong_type,
    wrong_value,
)
from faultloop.fakes.dialects.openai_responses_tools import NONE, Offered, check_name, offered
from faultloop.fakes.item_ids import own_part

Object = dict[str, Any]

CALL_PREFIX = "call_"
"""What the id of a call begins with; its item has the same id with another beginning."""

ITEM_PREFIXES = {
    "message": "msg",
    "function_call": "fc",
    "custom_tool_call": "ctc",
    "reasoning": "rs",
}
"""What an item's id must begin with, by the item's type."""

_ID_CHARS_MAX = 64

_ROLES: dict[str, Role] = {
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
    "user": "user",
}
"""Roles in the order in which the API's complaint lists them."""

_ITEM_TYPES = (
    "additional_tools",
    "agent_message",
    "apply_patch_call",
    "apply_patch_call_output",
    "code_interpreter_call",
    "compaction",
    "compaction_trigger",
    "computer_call",
    "computer_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "file_search_call",
    "function_call",
    "function_call_output",
    "image_generation_call",
    "item_reference",
    "local_shell_call",
    "local_shell_call_output",
    "mcp_approval_request",
    "mcp_approval_response",
    "mcp_call",
    "mcp_list_tools",
    "message",
    "multi_agent_call",
    "multi_agent_call_output",
    "program",
    "program_output",
    "reasoning",
    "shell_call",
    "shell_call_output",
    "tool_search_call",
    "tool_search_output",
    "web_search_call",
)
"""Types of items, in the order of the API's complaint (measured)."""

_UNLISTED = ("compaction_summary", "configuration_update")
"""Types that clients send although the complaint does not list them: codex, and the current SDK."""

_MESSAGE_FIELDS = frozenset({"type", "role", "content", "status", "id"})

_PARTS = (
    "input_text",
    "input_image",
    "input_audio",
    "output_text",
    "refusal",
    "input_file",
    "computer_screenshot",
    "summary_text",
    "encrypted_content",
)
"""Parts of any kind, and below those that each place takes; measured, but for those of results,
which are as BerriAI/litellm quotes them."""
_SAID_TO_US = ("input_text", "input_image", "input_file", "scoped_content", "input_audio")
_SAID_BY_US = ("output_text", "refusal")
_RESULT_PARTS = ("input_text", "input_image", "input_file")


class Item(NamedTuple):
    """One item, read."""

    message: Message | None = None
    """What it says. A call is a message of its own here."""
    id: str | None = None
    reference: str | None = None
    """The id of the item that this one stands for; without a message where it is none of ours."""
    unspaced: str | None = None
    """The tool of a call that names no namespace."""
    tools: Offered = NONE
    """Tools that are offered from here on."""


def read_text(text: str) -> Item:
    """An `input` that is a text: one message of the user."""
    return Item(Message(role="user", text=text))


@lru_cache(maxsize=1024)
def read_item(spelt: bytes, at: int) -> Item:
    """The item of these bytes; `at` is its index, for complaints. Raises BadRequest."""
    item = decoded(spelt)
    where = f"input[{at}]"
    if not isinstance(item, dict):
        raise wrong_type(where, "an input item", item)
    kind = item.get("type")
    if kind is None:
        kind = "item_reference" if "id" in item and "role" not in item else "message"
    elif kind not in _ITEM_TYPES and kind not in _UNLISTED:
        raise wrong_value(where, kind, _ITEM_TYPES)
    id_ = _id(item, kind, where)
    match kind:
        case "message":
            return Item(_message(item, where), id_)
        case "function_call" | "custom_tool_call":
            call = _call(item, kind, where)
            unspaced = None if item.get("namespace") else call.name
            return Item(Message(role="assistant", calls=(call,)), id_, unspaced=unspaced)
        case "function_call_output" | "custom_tool_call_output":
            return Item(_result(item, where), id_)
        case "item_reference":
            reference = required(item, "id", str, where)
            return Item(_referred(reference), id_, reference)
        case "additional_tools":
            spelt_tools = msgspec.json.encode(item.get("tools"))
            return Item(None, id_, tools=offered(spelt_tools, f"{where}.tools"))
        case _:
            return Item(None, id_)


def _id(item: Object, kind: str, where: str) -> str | None:
    id_ = item.get("id")
    if id_ is None:
        return None
    path = f"{where}.id"
    if not isinstance(id_, str):
        raise wrong_type(path, str, id_)
    if len(id_) > _ID_CHARS_MAX:
        raise bad("too_long", path, most=_ID_CHARS_MAX, got=len(id_))
    prefix = ITEM_PREFIXES.get(kind)
    if prefix is not None and not id_.startswith(prefix):
        raise bad("id_prefix", path, got=id_, prefix=prefix)
    return id_


def _message(item: Object, where: str) -> Message:
    name = item.get("role")
    role = _ROLES.get(name) if isinstance(name, str) else None
    if role is None:
        raise wrong_value(where, name, tuple(_ROLES))
    if "content" not in item:
        raise bad("missing", f"{where}.content")
    for field in item:
        if field not in _MESSAGE_FIELDS and not (field == "phase" and role == "assistant"):
            raise bad("unknown", f"{where}.{field}", help="")
    known = _SAID_BY_US if role == "assistant" else _SAID_TO_US
    content = item["content"]
    path = f"{where}.content"
    if not isinstance(content, list | str):
        raise wrong_type(path, "one of an array of objects or string", content)
    return Message(role=role, text=_text(content, path, known))


def _call(item: Object, kind: str, where: str) -> SaidCall:
    is_custom = kind == "custom_tool_call"
    arguments: str = required(item, "input" if is_custom else "arguments", str, where)
    call_id = _call_id(item, where)
    name: str = required(item, "name", str, where)
    check_name(name, f"{where}.name")
    return SaidCall(id=call_id, name=name, arguments=arguments, is_text=is_custom)


def _result(item: Object, where: str) -> Message:
    call_id = _call_id(item, where)
    path = f"{where}.output"
    if "output" not in item:
        raise bad("missing", path)
    output = item["output"]
    if not isinstance(output, list | str):
        raise wrong_type(path, "one of an array of objects or string", output)
    return Message(role="tool", text=_text(output, path, _RESULT_PARTS), result_of=call_id)


def _call_id(item: Object, where: str) -> str:
    call_id: str = required(item, "call_id", str, where)
    path = f"{where}.call_id"
    if not call_id:
        raise bad("empty", path)
    if len(call_id) > _ID_CHARS_MAX:
        raise bad("too_long", path, most=_ID_CHARS_MAX, got=len(call_id))
    return call_id


def _text(content: str | list[Any], path: str, known: Sequence[str]) -> str:
    """The text of content; of parts that are no text, nothing."""
    if isinstance(content, str):
        return content
    texts = []
    for at, part in enumerate(content):
        where = f"{path}[{at}]"
        if not isinstance(part, dict):
            raise wrong_type(where, dict, part)
        kind = part.get("type")
        if kind not in known:
            if kind not in _PARTS:
                raise wrong_value(f"{where}.type", kind, _PARTS)
            raise wrong_value(where, kind, tuple(known))
        if kind in ("input_text", "output_text"):
            texts.append(required(part, "text", str, where))
        elif kind == "refusal":
            texts.append(required(part, "refusal", str, where))
    return "".join(texts)


def _referred(id_: str) -> Message | None:
    """What a reference to an item of ours stands for, as far as its id tells."""
    prefix, rest = id_.partition("_")[0], own_part(id_)
    if rest and prefix in (ITEM_PREFIXES["function_call"], ITEM_PREFIXES["custom_tool_call"]):
        call = SaidCall(id=CALL_PREFIX + rest, name="", arguments="{}")
        return Message(role="assistant", calls=(call,))
    if rest and prefix == ITEM_PREFIXES["message"]:
        return Message(role="assistant")
    return None
