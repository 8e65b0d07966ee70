"""The tools that a Responses request offers: their names, and how a call of each is spelt.

A tool is a function with JSON arguments, a custom tool that takes plain text, one of either inside
a namespace, or built in (declared and never called). In a `Conversation` a tool goes by its bare
name, as a script calls it; its `Place` says what the wire must say besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import msgspec

from faultloop.fakes.conversation import StrictTool
from faultloop.fakes.dialects.openai_responses_complaints import (
    bad,
    decoded,
    listed,
    required,
    wrong_type,
    wrong_value,
)

Object = dict[str, Any]

NAME_CHARS_MAX = 128
"""Measured: `tools[0].name` may be twice as long here as in Chat Completions."""

TOOLS_MAX = 128

_NAME = re.compile(r"[a-zA-Z0-9_-]+")

_CHOICES = ("none", "auto", "required")


class Place(NamedTuple):
    """Where a tool is on the wire, and of what kind."""

    kind: Literal["function", "custom"]
    name: str
    namespace: str | None = None


class Offered(NamedTuple):
    """The tools of one list."""

    places: Mapping[str, Place]
    """By bare name, and by its name with its namespace before it, as MCP clients write both."""
    names: tuple[str, ...]
    """Bare names, in their order."""
    types: frozenset[str]
    """Types that occur."""
    echo: tuple[Object, ...]
    """As a response repeats them."""
    strict: tuple[StrictTool, ...] = ()
    """Those that are to be decoded strictly."""


NONE = Offered(MappingProxyType({}), (), frozenset(), ())
"""No tools."""


@lru_cache(maxsize=64)
def offered(spelt: bytes, where: str) -> Offered:
    """The tools of a list; `where` is its path, for complaints. Raises BadRequest.

    The list comes again with every request, so it is known by its bytes.
    """
    tools = decoded(spelt)
    if tools is None:
        return NONE
    if not isinstance(tools, list):
        raise wrong_type(where, "an array of tools", tools)
    if len(tools) > TOOLS_MAX:
        raise bad("many_elements", where, most=TOOLS_MAX, got=len(tools))
    found: list[Place] = []
    types: set[str] = set()
    for at, tool in enumerate(tools):
        places, kind = _places(tool, f"{where}[{at}]")
        found += places
        types.add(kind)
    if len(set(found)) < len(found):
        raise bad("same_name", where)
    return Offered(
        MappingProxyType(_by_name(found)),
        tuple(dict.fromkeys(place.name for place in found)),
        frozenset(types),
        tuple(_echo(tool) for tool in tools),
        tuple(_strict(tools, where)),
    )


def check_name(name: str, path: str) -> None:
    """Judge the name of a tool. Raises BadRequest."""
    if not name:
        raise bad("empty", path)
    if len(name) > NAME_CHARS_MAX:
        raise bad("too_long", path, most=NAME_CHARS_MAX, got=len(name))
    if not _NAME.fullmatch(name):
        raise bad("pattern", path, pattern=f"^{_NAME.pattern}$")


def check_choice(choice: Any, tools: Offered) -> None:
    """Judge the request's `tool_choice`. Raises BadRequest."""
    if choice is None or choice in _CHOICES:
        return
    if isinstance(choice, str):
        raise wrong_value("tool_choice", choice, _CHOICES)
    if not isinstance(choice, dict):
        wanted = f"one of an object or {listed('or', *_CHOICES)}"
        raise wrong_type("tool_choice", wanted, choice)
    kind = required(choice, "type", str, "tool_choice")
    if kind != "allowed_tools":
        _check_chosen(choice, "tool_choice", tools)
        return
    for at, allowed in enumerate(required(choice, "tools", list, "tool_choice")):
        where = f"tool_choice.tools[{at}]"
        if not isinstance(allowed, dict):
            raise wrong_type(where, dict, allowed)
        _check_chosen(allowed, where, tools)


def _check_chosen(choice: Object, where: str, tools: Offered) -> None:
    kind: str = required(choice, "type", str, where)
    if kind in ("function", "custom"):
        name = required(choice, "name", str, where)
        if name not in tools.places:
            raise bad("no_choice", "tool_choice", got=name)
    elif kind not in tools.types:
        raise bad("no_choice", "tool_choice", got=kind)


def _places(tool: object, where: str) -> tuple[list[Place], str]:
    """The places of one tool (a namespace holds several), and its type."""
    if not isinstance(tool, dict):
        raise wrong_type(where, dict, tool)
    kind: str = required(tool, "type", str, where)
    if kind != "namespace":
        place = _place(tool, kind, where)
        return [place] if place else [], kind
    namespace: str = required(tool, "name", str, where)
    check_name(namespace, f"{where}.name")
    places: list[Place] = []
    for at, inner in enumerate(required(tool, "tools", list, where)):
        inside = f"{where}.tools[{at}]"
        if not isinstance(inner, dict):
            raise wrong_type(inside, dict, inner)
        place = _place(inner, required(inner, "type", str, inside), inside)
        if place:
            places.append(place._replace(namespace=namespace))
    return places, kind


def _place(tool: Object, kind: str, where: str) -> Place | None:
    if kind not in ("function", "custom"):
        return None  # built in: the fake model never calls it
    name: str = required(tool, "name", str, where)
    check_name(name, f"{where}.name")
    parameters = tool.get("parameters")
    if parameters is not None and not isinstance(parameters, dict):
        raise wrong_type(f"{where}.parameters", dict, parameters)
    return Place("function" if kind == "function" else "custom", name)


def _by_name(found: list[Place]) -> dict[str, Place]:
    """Each by the names that it goes by; what is in no namespace has the bare name for itself."""
    named: dict[str, Place] = {}
    for place in sorted(found, key=lambda place: place.namespace is not None):
        named.setdefault(place.name, place)
        if place.namespace is not None:
            named.setdefault(f"{place.namespace}__{place.name}", place)
    return named


def _strict(tools: Sequence[Object], where: str) -> Iterator[StrictTool]:
    for at, tool in enumerate(tools):
        if tool["type"] == "namespace":
            yield from _strict(tool["tools"], f"{where}[{at}].tools")
        elif tool["type"] == "function" and tool.get("strict") is True:
            schema = msgspec.json.encode(tool.get("parameters") or {})
            path = f"{where}[{at}].parameters"
            yield StrictTool(name=tool["name"], path=path, schema=schema)


def _echo(tool: Object) -> Object:
    """A tool as a response repeats it: with what was left out."""
    match tool["type"]:
        case "function":
            return {
                "type": "function",
                "description": tool.get("description"),
                "name": tool["name"],
                "output_schema": tool.get("output_schema"),
                "parameters": tool.get("parameters"),
                "strict": tool.get("strict", True),
            }
        case "custom":
            return {
                "type": "custom",
                "description": tool.get("description"),
                "format": tool.get("format", {"type": "text"}),
                "name": tool["name"],
            }
        case "namespace":
            inside = [_echo(inner) for inner in tool["tools"]]
            head = {"type": "namespace", "description": tool.get("description")}
            return {**head, "name": tool["name"], "tools": inside}
        case _:
            return tool
