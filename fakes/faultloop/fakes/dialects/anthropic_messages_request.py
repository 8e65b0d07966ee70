"""Reading a Messages API request: headers and JSON to `Conversation`, or the API's own complaint.

Only shapes are judged here, in the API's words: what is missing, of the wrong type, empty or
misspelt. What messages mean together is judged by `strictness`. Fields that are still in beta are
accepted with and without their header.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

import msgspec

from faultloop.fakes.conversation import Conversation, Message
from faultloop.fakes.dialects.anthropic_messages_blocks import (
    NEWEST,
    Heard,
    heard,
    system_text,
)
from faultloop.fakes.dialects.anthropic_messages_complaints import bad
from faultloop.fakes.dialects.anthropic_messages_fields import (
    Object,
    an_object,
    cached,
    flag,
    no_others,
    text,
)
from faultloop.fakes.dialects.anthropic_messages_tools import chosen, offered
from faultloop.fakes.dialects.dialect import BadRequest, HttpRequest
from faultloop.fakes.dialects.out_of_range import out_of_range

VERSIONS = frozenset({"2023-01-01", "2023-06-01", NEWEST})
BODY_BYTES_MAX = 32 * 1024 * 1024
CACHED_MAX = 4
"""Blocks with a cache_control in one request."""
SYSTEM = -1
"""In `Conversation.wire`: what comes from the request's `system`, and is none of its messages."""

_FIELDS = frozenset(
    {
        "billing_policy",
        "cache_control",
        "compaction",
        "container",
        "context_management",
        "diagnostics",
        "fallback_credit_token",
        "fallbacks",
        "inference_geo",
        "max_tokens",
        "mcp_servers",
        "messages",
        "metadata",
        "model",
        "output_config",
        "output_format",
        "service_tier",
        "speed",
        "stop_sequences",
        "stream",
        "system",
        "thinking",
        "thread",
        "tool_choice",
        "tools",
        "user_profile_id",
        "workspace_id",
    }
)

_OTHERS = frozenset({"dsh_plugin_packages", "dsh_session_log"})
"""What agents of other servers of this dialect send (dsh, to DeepSeek's)."""

_SAMPLING = frozenset({"temperature", "top_k", "top_p"})
"""Fields that the newest version no longer has."""

_LONG = ("messages", "tools")
"""The fields that come again with every request."""

_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_elements = msgspec.json.Decoder(list[msgspec.Raw]).decode
_value = msgspec.json.Decoder().decode
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_NULL = msgspec.Raw(b"null")
_OUT_OF_RANGE = "number out of range"
_LONE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])")


def read(request: HttpRequest, *, counts: bool = False) -> Conversation:
    """Read a request. `counts`: only for its tokens, so it needs no limit. Raises BadRequest."""
    version = check_headers(request.headers)
    body = request.body
    if len(body) > BODY_BYTES_MAX:
        raise bad("too_large")
    try:
        return _conversation(body, version, counts=counts)
    except _UNREADABLE as error:
        raise _unreadable(body, error) from None


def check_headers(headers: Mapping[str, str]) -> str:
    """The API's version. Asks for the headers that every request needs. Raises BadRequest."""
    if not (headers.get("x-api-key") or headers.get("authorization")):
        raise bad("no_key")
    version = headers.get("anthropic-version")
    if not version:
        raise bad("no_version")
    if version not in VERSIONS:
        raise bad("version", got=version)
    return version


def _conversation(body: bytes, version: str, *, counts: bool) -> Conversation:
    try:
        spelt = _fields(body)
    except msgspec.ValidationError:
        _value(body)
        raise bad("object", "body") from None
    fields = {name: _value(raw) for name, raw in spelt.items() if name not in _LONG}
    raw = body.decode()
    model = text(fields, "model")
    if not model:
        raise bad("too_short", "model", least=1)
    limit = None if counts and "max_tokens" not in fields else _limit(fields)
    listed = _messages(spelt.get("messages"))
    system = system_text(fields.get("system"))
    read = [heard(bytes(message), at, version) for at, message in enumerate(listed)]
    _check_emptiness(read)
    offer = offered(bytes(spelt.get("tools", _NULL)))
    choice = chosen(fields.get("tool_choice"), offer)
    thinking = _thinking(fields)
    marked = cached(fields.get("system")) + offer.cached + sum(one.cached for one in read)
    if marked > CACHED_MAX:
        raise bad("cached", most=CACHED_MAX, got=marked)
    known = _FIELDS | _OTHERS
    no_others(spelt, known if version == NEWEST else known | _SAMPLING)
    first = (Message(role="system", text=system),) if system else ()
    return Conversation(
        messages=(*first, *(message for one in read for message in one.messages)),
        tools=offer.names,
        strict=offer.strict,
        may_call=choice.may_call,
        one_call=choice.one_call,
        streaming=flag(fields, "stream"),
        model=model,
        max_tokens=limit,
        echo=thinking,
        must_think=thinking.get("thinking", {}).get("type") == "enabled",
        wire=(*(SYSTEM for _ in first), *(at for at, one in enumerate(read) for _ in one.messages)),
        raw=raw,
    )


def _thinking(fields: Object) -> Object:
    """The request's setting of it, which the dialect looks at again when it speaks."""
    thinking = fields.get("thinking")
    return {} if thinking is None else {"thinking": an_object(thinking, "thinking")}


def _limit(fields: Object) -> int:
    """`max_tokens`; 0 only warms the cache."""
    if "max_tokens" not in fields:
        raise bad("missing", "max_tokens")
    limit = fields["max_tokens"]
    if isinstance(limit, bool) or not isinstance(limit, int):
        raise bad("integer", "max_tokens")
    if limit < 0:
        raise bad("at_least", "max_tokens", least=0)
    return limit


def _messages(spelt: msgspec.Raw | None) -> Sequence[msgspec.Raw]:
    """Each message as it is spelt."""
    if spelt is None:
        raise bad("missing", "messages")
    try:
        messages = _elements(spelt)
    except msgspec.ValidationError:
        _value(spelt)
        raise bad("list", "messages") from None
    if not messages:
        raise bad("no_messages")
    return messages


def _check_emptiness(read: Sequence[Heard]) -> None:
    for at, one in enumerate(read):
        if not one.is_empty or (one.role == "assistant" and at == len(read) - 1):
            continue
        raise bad("empty_user" if one.role == "user" else "empty", f"messages.{at}")


def _unreadable(body: bytes, error: Exception) -> BadRequest:
    """The complaint about a body that is no JSON, with the place where it stops being any."""
    said = body.decode(errors="replace")
    why, at = str(error) or "nested too deeply", 0
    try:
        json.loads(said)
    except json.JSONDecodeError as wrong:
        why, at = wrong.msg, wrong.pos
    except RecursionError:
        pass
    except ValueError:  # an integer of too many digits
        why, at = _OUT_OF_RANGE, out_of_range(said) or 0
    else:
        lone, number = _LONE.search(said), out_of_range(said)
        if lone is not None:
            why, at = "no low surrogate in string", lone.start()
        elif number is not None:
            why, at = _OUT_OF_RANGE, number
    line = said.count("\n", 0, at) + 1
    column = at - said.rfind("\n", 0, at)
    why = why[:1].lower() + why[1:]
    return bad("not_json", why=why, line=line, column=column, char=at)
