"""What a request says was said, in one form for every dialect.

A dialect parses its own request into a `Conversation`; strictness, the script's cursor and the
checks read only this. Nothing here knows a wire format, and nothing here is repaired: ids may be
missing, arguments may be rubbish, roles may be wrong. Judging that is the business of others.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

import msgspec

Role = Literal["system", "user", "assistant", "tool", "other"]


class SaidCall(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tool call as an assistant message in the request repeats it."""

    id: str
    name: str
    arguments: str
    """The argument text as it came back, not decoded."""
    is_text: bool = False
    """The arguments are plain text and need be no JSON: the call of a custom tool, or one that the
    provider kept."""
    is_unsigned: bool = False
    """It came back without the signature that its provider had put on it."""


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message of the request, in its order."""

    role: Role
    text: str = ""
    calls: tuple[SaidCall, ...] = ()
    result_of: str | None = None
    """For a tool result: the id of the call that it answers, as the subject gave it."""


class StrictTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that the request wants decoded strictly."""

    name: str
    path: str
    """Where the API points if it cannot be."""
    schema: bytes
    """Of its parameters: JSON."""


class Conversation(msgspec.Struct, frozen=True, kw_only=True):
    """One provider request, parsed."""

    messages: tuple[Message, ...]
    tools: tuple[str, ...] = ()
    """Names of the tools that the subject offers the model with this request."""
    strict: tuple[StrictTool, ...] = ()
    """Those of them that are to be decoded strictly."""
    may_call: bool = True
    """False where it offers tools and forbids the model to call any."""
    one_call: bool = False
    """It allows the model one call a reply."""
    streaming: bool = False
    wants_usage: bool = True
    """False where the dialect streams usage only on demand and nobody asked."""
    model: str = ""
    max_tokens: int | None = None
    """The request's own limit for the reply, in tokens."""
    continues: str | None = None
    """Id of an earlier reply whose conversation this request goes on with, where the provider keeps
    conversations; `messages` are then only what is new."""
    is_kept: bool = False
    """The provider keeps the conversation, so that a later request can go on with it."""
    wire: tuple[int, ...] = ()
    """For each of `messages` the index of the request's own message that it came in, where these
    are not the same: some dialects put several of them into one."""
    echo: Mapping[str, Any] = MappingProxyType({})
    """What a reply repeats of the request, in dialects that do."""
    must_think: bool = False
    """The request gives thinking a budget: a model thinks in each of its replies then."""
    raw: str = ""
    """The body as it arrived. Marks of the script are searched here, so that a subject that
    flattens calls into text is still followed."""
