"""Reading a Responses request: JSON to `Conversation`, or the API's own complaint.

Only shapes are judged here, in the API's words and in its order. What messages mean together is
judged by `strictness`.

The wire has a flat list of items. Here the calls of one reply are together in one message, as in
the other dialects: a call joins what the assistant said just before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from faultloop.fakes.conversation import Conversation, Message
from faultloop.fakes.dialects.openai_responses_complaints import (
    UNREADABLE,
    bad,
    decoded,
    required,
    wrong_type,
)
from faultloop.fakes.dialects.openai_responses_fields import (
    AFTER_TOOLS,
    BEFORE_TOOLS,
    check_fields,
    check_known,
    check_moved,
)
from faultloop.fakes.dialects.openai_responses_items import Item, read_item, read_text
from faultloop.fakes.dialects.openai_responses_objects import settings
from faultloop.fakes.dialects.openai_responses_tools import Offered, check_choice, offered

Object = dict[str, Any]

INSTRUCTIONS_AT = -1
"""In `Conversation.wire`: the request's `instructions`, which are no item of its input."""

_LONG = ("input", "tools")
"""The fields that come again with every request."""

_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_elements = msgspec.json.Decoder(list[msgspec.Raw]).decode
_NULL = msgspec.Raw(b"null")


class _Body(NamedTuple):
    """A body, cut into its fields."""

    short: Object
    """Decoded. Has the long ones as well, without their values."""
    long: dict[str, msgspec.Raw]
    text: str


def read(headers: Mapping[str, str], body: bytes) -> Conversation:
    """Read a request. Raises BadRequest."""
    check_key(headers)
    parts = _cut(body)
    request = parts.short
    _check_model(request)
    check_moved(request)
    if "input" not in request:
        raise bad("missing", "input")
    check_known(request)
    items = _input(parts.long["input"])
    check_fields(request, BEFORE_TOOLS)
    tools = offered(bytes(parts.long.get("tools", _NULL)), "tools")
    tools = _together(tools, *(item.tools for item in items if item.tools.names))
    check_choice(request.get("tool_choice"), tools)
    check_fields(request, AFTER_TOOLS)
    _check_state(request)
    earlier = request.get("previous_response_id")
    if not items and earlier is None:
        raise bad("no_input")
    is_kept = request.get("store") is not False
    _check_items(items, tools, is_kept=is_kept)
    messages, wire = _messages(items, request.get("instructions"))
    return Conversation(
        messages=messages,
        tools=tools.names,
        strict=tools.strict,
        may_call=request.get("tool_choice") != "none",
        one_call=request.get("parallel_tool_calls") is False,
        streaming=request.get("stream") is True,
        model=request["model"],
        max_tokens=request.get("max_output_tokens"),
        continues=earlier,
        is_kept=is_kept,
        wire=wire,
        echo={"settings": settings(request), "tools": tools},
        raw="\n".join((parts.text, *_referred_calls(items))),
    )


def check_key(headers: Mapping[str, str]) -> None:
    """Complain of a request without an API key."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    if scheme.lower() not in ("bearer", "basic") or not key.strip():
        raise bad("no_key")


def _cut(body: bytes) -> _Body:
    try:
        fields = _fields(body)
        text = body.decode()
    except UNREADABLE:
        raise bad("not_json") from None
    short = {name: None if name in _LONG else decoded(raw) for name, raw in fields.items()}
    return _Body(short, fields, text)


def _check_model(request: Object) -> None:
    if "model" in request and request["model"] is None:
        raise bad("type", "model", wanted="a string", got="an object")  # sic: of null
    model = required(request, "model", str)
    if not model:
        raise bad("no_model", "model", got=model)


def _input(spelt: msgspec.Raw) -> tuple[Item, ...]:
    """The items, each read once."""
    try:
        elements = _elements(spelt)
    except msgspec.ValidationError:
        value = decoded(bytes(spelt))
    else:
        return tuple(read_item(bytes(item), at) for at, item in enumerate(elements))
    if isinstance(value, str):
        return (read_text(value),) if value else ()
    if value is None:
        raise bad("type", "input", wanted="a string", got="an object")  # sic: of null
    raise wrong_type("input", "one of a string or array of input items", value)


def _together(first: Offered, *more: Offered) -> Offered:
    """The tools of the request and those that its items add."""
    if not more:
        return first
    places = dict(first.places)
    for added in more:
        places = {**added.places, **places}
    names = (name for tools in (first, *more) for name in tools.names)
    types = first.types.union(*(added.types for added in more))
    strict = tuple(tool for tools in (first, *more) for tool in tools.strict)
    return Offered(places, tuple(dict.fromkeys(names)), types, first.echo, strict)


def _check_state(request: Object) -> None:
    """Complain of what only the API's own memory could tell; an earlier response is looked up by
    whoever keeps conversations."""
    conversation = request.get("conversation")
    if conversation is not None:
        if request.get("previous_response_id") is not None:
            raise bad("exclusive")
        if isinstance(conversation, dict):
            conversation = required(conversation, "id", str, "conversation")
        if not isinstance(conversation, str):
            raise wrong_type("conversation", "one of an object or string", conversation)
        raise bad("no_conversation", got=conversation)
    prompt = request.get("prompt")
    if prompt is not None:
        raise bad("no_prompt", got=required(prompt, "id", str, "prompt"))


def _check_items(items: Iterable[Item], tools: Offered, *, is_kept: bool) -> None:
    """Complain of items that cannot stand where they do."""
    seen: set[str] = set()
    for at, item in enumerate(items):
        if item.reference is not None and item.message is None:
            raise bad("no_item" if is_kept else "not_kept", got=item.reference)
        if item.id is not None:
            if item.id in seen:
                raise bad("same_item", got=item.id)
            seen.add(item.id)
        place = tools.places.get(item.unspaced) if item.unspaced is not None else None
        if place is not None and place.namespace is not None and place.name == item.unspaced:
            raise bad("no_namespace", f"input[{at}].namespace", got=item.unspaced)


def _messages(
    items: Iterable[Item], instructions: str | None
) -> tuple[tuple[Message, ...], tuple[int, ...]]:
    """What is said, and for each message the index of the item that it begins with."""
    messages: list[Message] = []
    wire: list[int] = []
    if instructions:
        messages.append(Message(role="system", text=instructions))
        wire.append(INSTRUCTIONS_AT)
    for at, item in enumerate(items):
        message = item.message
        if message is None:
            continue
        last = messages[-1] if messages else None
        if last is not None and _is_one_reply(last, message):
            messages[-1] = Message(
                role="assistant", text=last.text + message.text, calls=last.calls + message.calls
            )
        else:
            messages.append(message)
            wire.append(at)
    if not messages:
        # Items that say nothing are a request all the same.
        messages, wire = [Message(role="other")], [0]
    return tuple(messages), () if wire == list(range(len(wire))) else tuple(wire)


def _is_one_reply(last: Message, message: Message) -> bool:
    return last.role == message.role == "assistant" and bool(last.calls or message.calls)


def _referred_calls(items: Iterable[Item]) -> Iterable[str]:
    """Ids of calls that the request has only as references, so that they are found in its text."""
    for item in items:
        if item.reference is not None and item.message is not None:
            yield from (call.id for call in item.message.calls)
