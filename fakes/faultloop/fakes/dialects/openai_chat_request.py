"""Reading a Chat Completions request: JSON to `Conversation`, or the API's own complaint.

Only shapes are judged here, in the API's words: what is missing, of the wrong type, too long or
misspelt. What messages mean together is judged by `strictness`.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from faultloop.fakes.conversation import Conversation, Message, Role, SaidCall
from faultloop.fakes.dialects.dialect import BadRequest

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

_NAME = re.compile(r"[a-zA-Z0-9_-]+")
_ID_CHARS_MAX = 40

Object = dict[str, Any]


def read(body: bytes) -> Conversation:
    """Read a request body. Raises BadRequest."""
    try:
        request = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        request = None
    if not isinstance(request, dict):
        raise BadRequest(
            "We could not parse the JSON body of your request. (HINT: This likely means you aren't "
            "using your HTTP library correctly. The OpenAI API expects a JSON payload, but what "
            "was sent was not valid JSON. If you have trouble figuring out how to fix this, please "
            "contact us through our help center at help.openai.com.)"
        )
    if not request.get("model"):
        raise BadRequest("you must provide a model parameter")
    streaming = request.get("stream") is True
    options = request.get("stream_options")
    if options is not None and not streaming:
        raise BadRequest(
            "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
            param="stream_options",
        )
    messages = _field(request, "messages", list)
    if not messages:
        raise _empty_array("messages")
    tools = [] if request.get("tools") is None else _field(request, "tools", list)
    limit = request.get("max_completion_tokens") or request.get("max_tokens")
    return Conversation(
        messages=tuple(_message(message, at) for at, message in enumerate(messages)),
        tools=tuple(_tool_name(tool, at) for at, tool in enumerate(tools)),
        streaming=streaming,
        wants_usage=not streaming
        or (isinstance(options, dict) and options.get("include_usage") is True),
        model=str(request["model"]),
        max_tokens=limit if isinstance(limit, int) else None,
        raw=body.decode(),
    )


def _message(message: object, at: int) -> Message:
    where = f"messages[{at}]"
    if not isinstance(message, dict):
        raise _wrong_type(where, dict, message)
    name = _field(message, "role", str, where)
    role = _ROLES.get(name)
    if role is None:
        *most, last = (f"'{known}'" for known in _ROLES)
        raise BadRequest(
            f"Invalid value: '{name}'. Supported values are: {', '.join(most)}, and {last}.",
            param=f"{where}.role",
            code="invalid_value",
        )
    calls: tuple[SaidCall, ...] = ()
    if role == "assistant" and message.get("tool_calls") is not None:
        listed = _field(message, "tool_calls", list, where)
        if not listed:
            raise _empty_array(f"{where}.tool_calls")
        calls = tuple(_call(call, f"{where}.tool_calls[{n}]") for n, call in enumerate(listed))
    result_of = None
    if role == "tool":
        result_of = message.get("tool_call_id")
        if not isinstance(result_of, str):
            raise BadRequest(
                "Missing parameter 'tool_call_id': messages with role 'tool' must have a "
                "'tool_call_id'.",
                param=f"messages.[{at}].tool_call_id",
            )
    text = _text(message, at, may_be_missing=bool(calls) or role == "other")
    return Message(role=role, text=text, calls=calls, result_of=result_of)


def _call(call: object, where: str) -> SaidCall:
    if not isinstance(call, dict):
        raise _wrong_type(where, dict, call)
    id_ = _field(call, "id", str, where)
    if len(id_) > _ID_CHARS_MAX:
        raise BadRequest(
            f"Invalid '{where}.id': string too long. Expected a string with maximum length "
            f"{_ID_CHARS_MAX}, but got a string with length {len(id_)} instead.",
            param=f"{where}.id",
            code="string_above_max_length",
        )
    function = _field(call, "function", dict, where)
    name = _field(function, "name", str, f"{where}.function")
    _check_name(name, f"{where}.function.name")
    arguments = _field(function, "arguments", str, f"{where}.function")
    return SaidCall(id=id_, name=name, arguments=arguments)


def _tool_name(tool: object, at: int) -> str:
    where = f"tools[{at}]"
    if not isinstance(tool, dict):
        raise _wrong_type(where, dict, tool)
    function = _field(tool, "function", dict, where)
    name = _field(function, "name", str, f"{where}.function")
    _check_name(name, f"{where}.function.name")
    return str(name)


def _text(message: Object, at: int, *, may_be_missing: bool) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    if content is None:
        if may_be_missing:
            return ""
        raise BadRequest(
            "Invalid value for 'content': expected a string, got null.",
            param=f"messages.[{at}].content",
        )
    if not isinstance(content, list):
        raise BadRequest(
            f"Invalid type for 'messages[{at}].content': expected one of a string or array of "
            f"objects, but got {_TYPES[type(content)]} instead.",
            param=f"messages[{at}].content",
            code="invalid_type",
        )
    parts = []
    for number, part in enumerate(content):
        if not isinstance(part, dict):
            raise _wrong_type(f"messages[{at}].content[{number}]", dict, part)
        text = part.get("text") or part.get("refusal") or ""
        parts.append(text if isinstance(text, str) else "")
    return "".join(parts)


def _field(holder: Object, name: str, kind: type, where: str = "") -> Any:
    """The value of a required field of one type, or the API's complaint."""
    path = f"{where}.{name}" if where else name
    value = holder.get(name)
    if value is None:
        raise BadRequest(
            f"Missing required parameter: '{path}'.", param=path, code="missing_required_parameter"
        )
    if not isinstance(value, kind):
        raise _wrong_type(path, kind, value)
    return value


def _check_name(name: str, where: str) -> None:
    if not _NAME.fullmatch(name):
        raise BadRequest(
            f"Invalid '{where}': string does not match pattern. Expected a string that matches "
            "the pattern '^[a-zA-Z0-9_-]+$'.",
            param=where,
            code="invalid_value",
        )


def _wrong_type(path: str, kind: type, value: object) -> BadRequest:
    return BadRequest(
        f"Invalid type for '{path}': expected {_TYPES[kind]}, but got {_TYPES[type(value)]} "
        "instead.",
        param=path,
        code="invalid_type",
    )


def _empty_array(path: str) -> BadRequest:
    return BadRequest(
        f"Invalid '{path}': empty array. Expected an array with minimum length 1, but got an empty "
        "array instead.",
        param=path,
        code="empty_array",
    )
