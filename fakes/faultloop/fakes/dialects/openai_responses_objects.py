"""The objects of Responses: a response with its items, whole or at any point of its stream.

Key order, null fields and the repetition of the request are those of recordings of 2026.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.dialects.openai_responses_items import CALL_PREFIX, ITEM_PREFIXES
from faultloop.fakes.dialects.openai_responses_reasoning import Reasoning
from faultloop.fakes.dialects.openai_responses_tools import NONE, Offered, Place
from faultloop.fakes.item_ids import after_reasoning
from faultloop.fakes.reply import Reply
from faultloop.fakes.script import Finish

Object = dict[str, Any]

ID_PREFIX = "resp_"


class Ending(NamedTuple):
    """How a response ends."""

    status: str | None
    """None where nothing said how, which only a broken provider does."""
    reason: str | None = None
    """Why it is incomplete."""

    @property
    def event(self) -> str:
        """The last event of its stream."""
        return f"response.{self.status if self.status in _LAST else 'completed'}"


_LAST = ("incomplete", "failed")
"""What a response can be in its last event beside completed."""

FAILED = Ending("failed")
"""The provider broke off: what agents wait for after the `error` event, which ends nothing
(router-for-me/CLIProxyAPI #4683)."""

ENDINGS: dict[Finish, Ending] = {
    "stop": Ending("completed"),
    "tool_calls": Ending("completed"),
    "length": Ending("incomplete", "max_output_tokens"),
    "content_filter": Ending("incomplete", "content_filter"),
}
"""A response does not say whether it ends in calls: its items do."""

UNFINISHED = Ending(None)

TIERS = {"fast": "priority"}
"""Service tiers that a reply calls by another name than its request (docstring of openai 3.57)."""

DEFAULTS: Object = {
    "background": False,
    "frequency_penalty": 0.0,
    "instructions": None,
    "max_output_tokens": None,
    "max_tool_calls": None,
    "metadata": {},
    "moderation": None,
    "parallel_tool_calls": True,
    "presence_penalty": 0.0,
    "previous_response_id": None,
    "prompt_cache_key": None,
    "prompt_cache_retention": "in_memory",
    "reasoning": {"context": None, "effort": None, "summary": None},
    "safety_identifier": None,
    "service_tier": "auto",
    "store": True,
    "temperature": 1.0,
    "text": {"format": {"type": "text"}, "verbosity": "medium"},
    "tool_choice": "auto",
    "top_logprobs": 0,
    "top_p": 1.0,
    "truncation": "disabled",
    "user": None,
}
"""What a response says of settings that its request left out."""

_TOOL_USAGE: Object = {
    "image_gen": {
        "input_tokens": 0,
        "input_tokens_details": {"image_tokens": 0, "text_tokens": 0},
        "output_tokens": 0,
        "output_tokens_details": {"image_tokens": 0, "text_tokens": 0},
        "total_tokens": 0,
    },
    "web_search": {"num_requests": 0},
}


def response(
    id_: str,
    frame: Frame,
    ending: Ending | None,
    output: list[Object],
    usage: Object | None,
    error: Object | None = None,
) -> Object:
    """A `response` object; without an ending it is in progress."""
    echo: Object = frame.echo.get("settings", DEFAULTS)
    tools: Offered = frame.echo.get("tools", NONE)
    status = ending.status if ending else "in_progress"
    reason = ending.reason if ending else None
    tier = TIERS.get(echo["service_tier"], echo["service_tier"])
    return {
        "id": id_,
        "object": "response",
        "created_at": frame.created_s,
        "status": status,
        "background": echo["background"],
        "completed_at": frame.created_s if status == "completed" else None,
        "error": error,
        "frequency_penalty": echo["frequency_penalty"],
        "incomplete_details": {"reason": reason} if reason else None,
        "instructions": echo["instructions"],
        "max_output_tokens": echo["max_output_tokens"],
        "max_tool_calls": echo["max_tool_calls"],
        "model": frame.model,
        "moderation": echo["moderation"],
        "output": output,
        "parallel_tool_calls": echo["parallel_tool_calls"],
        "presence_penalty": echo["presence_penalty"],
        "previous_response_id": echo["previous_response_id"],
        "prompt_cache_key": echo["prompt_cache_key"],
        "prompt_cache_retention": echo["prompt_cache_retention"],
        "reasoning": echo["reasoning"],
        "safety_identifier": echo["safety_identifier"],
        "service_tier": "default" if ending and tier == "auto" else tier,
        "store": echo["store"],
        "temperature": echo["temperature"],
        "text": echo["text"],
        "tool_choice": echo["tool_choice"],
        "tool_usage": _TOOL_USAGE,
        "tools": tools.echo,
        "top_logprobs": echo["top_logprobs"],
        "top_p": echo["top_p"],
        "truncation": echo["truncation"],
        "usage": usage,
        "user": echo["user"],
        "metadata": echo["metadata"],
    }


def settings(request: Object) -> Object:
    """What a response repeats of its request."""
    asked = {name: value for name, value in request.items() if value is not None}
    for name in ("reasoning", "text"):
        if name in asked:
            asked[name] = {**DEFAULTS[name], **asked[name]}
    return {**DEFAULTS, **asked}


def usage(input_tokens: int, output_tokens: int, reasoning_tokens: int) -> Object:
    """Token counts."""
    return {
        "input_tokens": input_tokens,
        "input_tokens_details": {"cache_write_tokens": 0, "cached_tokens": 0},
        "output_tokens": output_tokens,
        "output_tokens_details": {"reasoning_tokens": reasoning_tokens},
        "total_tokens": input_tokens + output_tokens,
    }


def message_id(reply_id: str) -> str:
    """The id of a reply's message item."""
    return f"{ITEM_PREFIXES['message']}_{reply_id}"


def message_item(id_: str, text: str | None, status: str, *, is_refusal: bool = False) -> Object:
    """A message; without a text it has no part yet."""
    return {
        "id": id_,
        "type": "message",
        "status": status,
        "content": [] if text is None else [text_part(text, is_refusal=is_refusal)],
        "role": "assistant",
    }


def text_part(text: str, *, is_refusal: bool = False) -> Object:
    """A part of a message."""
    if is_refusal:
        return {"type": "refusal", "refusal": text}
    return {"type": "output_text", "annotations": [], "logprobs": [], "text": text}


class CallItem(NamedTuple):
    """What stays the same about the item of a call while its arguments come."""

    id: str
    call_id: str | None
    """None: it is not said; so is an empty name, in an item without one."""
    place: Place
    has_name: bool = True

    @property
    def event(self) -> str:
        """What the events of its arguments begin with."""
        if self.place.kind == "custom":
            return "response.custom_tool_call_input"
        return "response.function_call_arguments"

    @property
    def field(self) -> str:
        """Where its arguments are."""
        return "input" if self.place.kind == "custom" else "arguments"

    def spelt(self, arguments: str, status: str) -> Object:
        """The item with the arguments that have come."""
        kind = "custom_tool_call" if self.place.kind == "custom" else "function_call"
        inside: Object = {
            self.field: arguments,
            "call_id": self.call_id,
            "name": self.place.name,
        }
        if self.call_id is None:
            del inside["call_id"]
        if not self.has_name:
            del inside["name"]
        if self.place.namespace is not None:
            inside["namespace"] = self.place.namespace
        # The API sorts what it knows only of some items: `arguments` comes first, `input` does not.
        sorted_inside = {name: inside[name] for name in sorted(inside)}
        return {"id": self.id, "type": kind, "status": status, **sorted_inside}


def call_item(
    frame: Frame, call_id: str | None, tool: str | None, *, stand_in: str = "", after: str = ""
) -> CallItem:
    """The item of a call, as the request offered its tool. `stand_in`: where it has no id;
    `after`: the reply whose reasoning it comes after."""
    offered: Offered = frame.echo.get("tools", NONE)
    place = offered.places.get(tool or "") or Place("function", tool or "")
    kind = "custom_tool_call" if place.kind == "custom" else "function_call"
    own = stand_in if call_id is None else call_id.removeprefix(CALL_PREFIX)
    if after:
        own = after_reasoning(after, own)
    return CallItem(f"{ITEM_PREFIXES[kind]}_{own}", call_id, place, has_name=tool is not None)


def is_cut(finish: Finish) -> bool:
    """Whether a reply with this finish stops within its last item."""
    return ENDINGS[finish].status == "incomplete"


def output(reply: Reply, frame: Frame) -> list[Object]:
    """The items of a reply that is whole; of a reply that was cut, the last is incomplete."""
    items: list[Object] = []
    if reply.thought:
        items.append(Reasoning(reply, frame).whole())
    cut = is_cut(reply.finish)
    if has_message(reply):
        status = "incomplete" if cut and not reply.calls else "completed"
        said = message_item(message_id(reply.id), reply.text, status, is_refusal=reply.is_refusal)
        items.append(said)
    for left, call in zip(range(len(reply.calls) - 1, -1, -1), reply.calls, strict=True):
        item = call_item(frame, call.id, call.tool, after=reply.id if reply.thought else "")
        items.append(item.spelt(call.arguments, "incomplete" if cut and not left else "completed"))
    return items


def has_message(reply: Reply) -> bool:
    """Whether a reply has a message item: an empty answer is one, an answer cut at once is none."""
    return bool(reply.text) or not (reply.calls or is_cut(reply.finish))
