"""Reading a Chat Completions request: JSON to `Conversation`, or the API's own complaint.

Only shapes are judged here, in the API's words: what is missing, of the wrong type, too long or
misspelt. What messages mean together is judged by `strictness`.

A conversation is sent again with every request of it, so what was read once is known by its bytes:
a message, and the list of tools, is judged when it is first seen. What is remembered never changes
what is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from faultloop.fakes.conversation import Conversation, Message, Role, SaidCall, StrictTool
from faultloop.fakes.dialects.dialect import BadRequest
from faultloop.fakes.dialects.openai_chat_complaints import bad, listed

_ROLES: dict[str, Role] = {
    "system": "system",
    "assistant": "assistant",
    "user": "user",
    "function": "other",
    "tool": "tool",
    "developer": "system",
}
"""Roles in the order in which the API's complaint lists them."""

_TYPES: dict[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    float: "a decimal",
    type(None): "null",
}

_CALL_TYPES = ("function", "custom")
"""What tools and calls can be."""

_NAME = re.compile(r"[a-zA-Z0-9_-]+")
_NAME_CHARS_MAX = 64
_ID_CHARS_MAX = 40

Object = dict[str, Any]
Where = tuple[str | int, ...]
"""The way to a field from the top. It is spelt out only where something is wrong with the field."""

_LONG = ("messages", "tools")
"""The fields that come again with every request."""


class _Offer(NamedTuple):
    """The tools of a request."""

    names: tuple[str, ...] = ()
    strict: tuple[StrictTool, ...] = ()


_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_elements = msgspec.json.Decoder(list[msgspec.Raw]).decode
_value = msgspec.json.Decoder().decode
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_NULL = msgspec.Raw(b"null")


def read(body: bytes) -> Conversation:
    """Read a request body. Raises BadRequest."""
    try:
        fields = _fields(body)
        request = {name: _value(raw) for name, raw in fields.items() if name not in _LONG}
        text = body.decode()
    except _UNREADABLE:
        raise bad("not_json") from None
    if not request.get("model"):
        raise bad("no_model")
    streaming = request.get("stream") is True
    options = request.get("stream_options")
    if options is not None and not streaming:
        raise bad("needs_stream", "stream_options")
    messages = _messages(fields.get("messages", _NULL))
    if not messages:
        raise bad("empty", "messages")
    _check_choices(request)
    limit = request.get("max_completion_tokens") or request.get("max_tokens")
    tools = _tools(request, fields.get("tools", _NULL))
    return Conversation(
        messages=tuple([_message(bytes(message), at) for at, message in enumerate(messages)]),
        tools=tools.names,
        strict=tools.strict,
        may_call=request.get("tool_choice") != "none",
        one_call=request.get("parallel_tool_calls") is False,
        streaming=streaming,
        wants_usage=not streaming
        or (isinstance(options, dict) and options.get("include_usage") is True),
        model=str(request["model"]),
        max_tokens=limit if isinstance(limit, int) else None,
        raw=text,
    )


def _messages(spelt: msgspec.Raw) -> Sequence[msgspec.Raw]:
    """Each message as it is spelt."""
    try:
        return _elements(spelt)
    except msgspec.ValidationError:
        wrong = _first_seen(bytes(spelt))
    raise bad("missing", "messages") if wrong is None else _wrong_type(("messages",), list, wrong)


def _check_choices(request: Object) -> None:
    choices = request.get("n")
    if choices is None or choices == 1:
        return
    if not isinstance(choices, int):
        raise _wrong_type(("n",), int, choices)
    raise bad("several_choices", "n", got=choices)


def _tools(request: Object, spelt: msgspec.Raw) -> _Offer:
    """The tools that are offered."""
    offer = _offered(bytes(spelt))
    if not offer.names:
        for setting in ("tool_choice", "parallel_tool_calls"):
            if request.get(setting) is not None:
                raise bad("needs_tools", setting)
    return offer


@lru_cache(maxsize=64)
def _offered(spelt: bytes) -> _Offer:
    """The tools in a list; of null, none."""
    if spelt == b"null":
        return _Offer()
    tools = _field({"tools": _first_seen(spelt)}, "tools", list, ())
    if not tools:
        raise bad("empty", "tools")
    names = tuple(_tool_name(tool, at) for at, tool in enumerate(tools))
    if len(set(names)) < len(names):
        raise bad("same_name", "tools")
    return _Offer(names, tuple(_strict(tools)))


def _first_seen(spelt: bytes) -> Any:
    """A value that was passed over so far, decoded."""
    try:
        return _value(spelt)
    except _UNREADABLE:
        raise bad("not_json") from None


@lru_cache(maxsize=1024)
def _message(spelt: bytes, at: int) -> Message:
    """The message of these bytes; `at` is its index, for complaints."""
    message = _first_seen(spelt)
    where = ("messages", at)
    if not isinstance(message, dict):
        raise _wrong_type(where, dict, message)
    name = _field(message, "role", str, where)
    role = _ROLES.get(name)
    if role is None:
        raise bad("value", _spelt((*where, "role")), got=name, known=listed(*_ROLES))
    calls: tuple[SaidCall, ...] = ()
    if role == "assistant" and message.get("tool_calls") is not None:
        made = _field(message, "tool_calls", list, where)
        if not made:
            raise bad("empty", _spelt((*where, "tool_calls")))
        calls = tuple(_call(call, (*where, "tool_calls", n)) for n, call in enumerate(made))
    result_of = None
    if role == "tool":
        result_of = message.get("tool_call_id")
        if not isinstance(result_of, str):
            raise bad("no_call_id", f"messages.[{at}].tool_call_id")
    text = _text(message, at, may_be_missing=bool(calls) or role == "other")
    return Message(role=role, text=text, calls=calls, result_of=result_of)


def _call(call: object, where: Where) -> SaidCall:
    if not isinstance(call, dict):
        raise _wrong_type(where, dict, call)
    id_ = _field(call, "id", str, where)
    if len(id_) > _ID_CHARS_MAX:
        raise bad("too_long", _spelt((*where, "id")), most=_ID_CHARS_MAX, got=len(id_))
    _check_type(call, where)
    function = _field(call, "function", dict, where)
    where = (*where, "function")
    name = _name(function, where)
    arguments = _field(function, "arguments", str, where)
    return SaidCall(id=id_, name=name, arguments=arguments)


def _tool_name(tool: object, at: int) -> str:
    where = ("tools", at)
    if not isinstance(tool, dict):
        raise _wrong_type(where, dict, tool)
    kind = _check_type(tool, where)
    return _name(_field(tool, kind, dict, where), (*where, kind))


def _strict(tools: Sequence[Object]) -> Iterator[StrictTool]:
    for at, tool in enumerate(tools):
        function: Object = tool[tool["type"]]
        if tool["type"] == "function" and function.get("strict") is True:
            schema = msgspec.json.encode(function.get("parameters") or {})
            path = f"tools[{at}].function.parameters"
            yield StrictTool(name=function["name"], path=path, schema=schema)


def _text(message: Object, at: int, *, may_be_missing: bool) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    if content is None:
        if may_be_missing:
            return ""
        raise bad("null_content", f"messages.[{at}].content")
    where = ("messages", at, "content")
    if not isinstance(content, list):
        wanted = "one of a string or array of objects"
        raise bad("type", _spelt(where), wanted=wanted, got=_TYPES[type(content)])
    parts = []
    for number, part in enumerate(content):
        if not isinstance(part, dict):
            raise _wrong_type((*where, number), dict, part)
        _field(part, "type", str, (*where, number))
        text = part.get("text") or part.get("refusal") or ""
        parts.append(text if isinstance(text, str) else "")
    return "".join(parts)


def _field(holder: Object, name: str, kind: type, where: Where) -> Any:
    """The value of a required field of one type, or the API's complaint."""
    value = holder.get(name)
    if isinstance(value, kind):
        return value
    if value is None:
        raise bad("missing", _spelt((*where, name)))
    raise _wrong_type((*where, name), kind, value)


def _check_type(holder: Object, where: Where) -> str:
    kind: str = _field(holder, "type", str, where)
    if kind not in _CALL_TYPES:
        known = listed(*_CALL_TYPES)
        raise bad("value", _spelt((*where, "type")), got=kind, known=known)
    return kind


def _name(holder: Object, where: Where) -> str:
    name: str = _field(holder, "name", str, where)
    if len(name) > _NAME_CHARS_MAX:
        path = _spelt((*where, "name"))
        raise bad("too_long", path, most=_NAME_CHARS_MAX, got=len(name))
    if not _NAME.fullmatch(name):
        raise bad("pattern", _spelt((*where, "name")), pattern=f"^{_NAME.pattern}$")
    return name


def _wrong_type(where: Where, kind: type, value: object) -> BadRequest:
    return bad("type", _spelt(where), wanted=_TYPES[kind], got=_TYPES[type(value)])


def _spelt(where: Where) -> str:
    """A way as the API spells it: `messages[3].tool_calls[0].id`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in where)
    return "".join(steps).removeprefix(".")
