"""Reading the tools that a Messages API request offers, and its choice among them.

Tools of the client's own (`custom`) have a name and a schema. Tools that Anthropic defines and the
client runs (bash, text editor, computer, memory) are offered too. What Anthropic itself runs (web
search, code execution, toolsets of MCP servers) is declared and never called here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import jsonschema_rs
import msgspec

from faultloop.fakes.conversation import StrictTool
from faultloop.fakes.dialects.anthropic_messages_complaints import bad
from faultloop.fakes.dialects.anthropic_messages_fields import (
    Object,
    an_object,
    cached,
    flag,
    no_others,
    tag,
    text,
)

_CLIENTS = frozenset(
    {
        "bash_20241022",
        "bash_20250124",
        "computer_20241022",
        "computer_20250124",
        "computer_20251124",
        "memory_20250818",
        "text_editor_20241022",
        "text_editor_20250124",
        "text_editor_20250429",
        "text_editor_20250728",
    }
)
"""Defined by Anthropic, run by the client."""

_SERVERS = frozenset(
    {
        "advisor_20260301",
        "browser_toolset_20260801",
        "code_execution_20250522",
        "code_execution_20250825",
        "code_execution_20260120",
        "code_execution_20260521",
        "computer_toolset_20260801",
        "mcp_toolset",
        "tool_search_tool_bm25",
        "tool_search_tool_bm25_20251119",
        "tool_search_tool_regex",
        "tool_search_tool_regex_20251119",
        "web_fetch_20250910",
        "web_fetch_20260209",
        "web_fetch_20260309",
        "web_fetch_20260318",
        "web_search_20250305",
        "web_search_20260209",
        "web_search_20260318",
    }
)
"""Run by Anthropic, or not one tool but several."""

_KINDS = _CLIENTS | _SERVERS | {"custom"}

_FIELDS = frozenset(
    {
        "allowed_callers",
        "cache_control",
        "defer_loading",
        "description",
        "eager_input_streaming",
        "input_examples",
        "input_schema",
        "name",
        "strict",
        "type",
    }
)
"""Of a custom tool."""

_CHOICES = frozenset({"any", "auto", "none", "tool"})
_COMBINED = ("oneOf", "allOf", "anyOf")
_NAME_CHARS_MAX = 128
_NAME = re.compile(rf"[a-zA-Z0-9_-]{{1,{_NAME_CHARS_MAX}}}")
_DRAFT = "https://json-schema.org/draft/2020-12/schema"


class Offer(NamedTuple):
    """The tools of a request."""

    names: tuple[str, ...] = ()
    """Of those that the model may call and the client runs."""
    run_there: tuple[str, ...] = ()
    """Of those that Anthropic runs: a request may ask for one of them."""
    cached: int = 0
    """How many have a cache_control."""
    strict: tuple[StrictTool, ...] = ()
    """Those that are to be decoded strictly."""


class Choice(NamedTuple):
    """What the request says about calling them."""

    may_call: bool = True
    one_call: bool = False


@lru_cache(maxsize=64)  # the same tools come with every request of a conversation
def offered(spelt: bytes) -> Offer:
    """The tools in a list, or null. Raises BadRequest, and DecodeError where it is no JSON."""
    tools = msgspec.json.decode(spelt)
    if tools is None:
        return Offer()
    if not isinstance(tools, list):
        raise bad("list", "tools")
    names: list[str] = []
    run_there: list[str] = []
    strict: list[StrictTool] = []
    taken: set[str] = set()
    for at, spelt_tool in enumerate(tools):
        tool = an_object(spelt_tool, f"tools.{at}")
        kind = tag(tool, _KINDS, f"tools.{at}", usual="custom")
        name = _custom(tool, f"tools.{at}.custom") if kind == "custom" else tool.get("name")
        if not isinstance(name, str):
            continue  # a toolset
        if name in taken:
            raise bad("same_name")
        taken.add(name)
        (run_there if kind in _SERVERS else names).append(name)
        if kind == "custom" and tool.get("strict") is True:
            schema = msgspec.json.encode(tool["input_schema"])
            strict.append(StrictTool(name=name, path=f"tools.{at}.custom", schema=schema))
    return Offer(tuple(names), tuple(run_there), cached(tools), tuple(strict))


def chosen(choice: object, offer: Offer) -> Choice:
    """The `tool_choice` of a request."""
    if choice is None:
        return Choice()
    asked = an_object(choice, "tool_choice")
    kind = tag(asked, _CHOICES, "tool_choice")
    known = (*offer.names, *offer.run_there)
    if kind == "any" and not known:
        raise bad("needs_tools")
    if kind == "tool":
        name = text(asked, "name", "tool_choice.tool")
        if name not in known:
            raise bad("no_such_tool", got=name)
    one = kind != "none" and flag(asked, "disable_parallel_tool_use", f"tool_choice.{kind}")
    return Choice(may_call=kind != "none", one_call=one)


def _custom(tool: Object, path: str) -> str:
    """The name of a custom tool that is as it should be."""
    name = text(tool, "name", path)
    if not name:
        raise bad("too_short", f"{path}.name", least=1)
    if len(name) > _NAME_CHARS_MAX:
        raise bad("too_long", f"{path}.name", most=_NAME_CHARS_MAX)
    if not _NAME.fullmatch(name):
        raise bad("pattern", f"{path}.name", pattern=f"^{_NAME.pattern}$")
    if tool.get("description") is not None:
        text(tool, "description", path)
    where = f"{path}.input_schema"
    if tool.get("input_schema") is None:
        raise bad("missing", where)
    schema = tool["input_schema"]
    if not isinstance(schema, dict):
        raise bad("dictionary", where)
    if any(word in schema for word in _COMBINED):
        raise bad("combined_schema", where)
    if "type" not in schema:
        raise bad("missing", f"{where}.type")
    if schema["type"] != "object":
        raise bad("literal", f"{where}.type", wanted="'object'")
    if not _is_schema(schema):
        raise bad("schema", where)
    no_others(tool, _FIELDS, path)
    return name


def _is_schema(schema: Object) -> bool:
    """By its draft; `required: null` passes, as the SDK's own types have it."""
    judged = {name: part for name, part in schema.items() if part is not None}
    return jsonschema_rs.meta.is_valid({**judged, "$schema": _DRAFT})
