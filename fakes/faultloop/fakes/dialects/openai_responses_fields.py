"""The plain fields of a Responses request: what each must be, in the order of judgement.

Whatever reads a field, judges it here first. Null stands for a field that was left out. Order and
bounds are those of the API (see the sources in `openai_responses_complaints`); what depends on the
model that is asked (a reasoning model takes no `temperature`) is not judged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faultloop.fakes.dialects.openai_responses_complaints import (
    bad,
    listed,
    wrong_type,
    wrong_value,
)

Object = dict[str, Any]

Check = Callable[[str, Any], None]
"""Takes a field's path and its value, which is not null; raises BadRequest."""

OUTPUT_TOKENS_MIN = 16
_METADATA_PROPERTIES_MAX = 16
_SPELLING_DISTANCE_MAX = 2


def _is_a(wanted: type, name: str | None = None) -> Check:
    def check(path: str, value: Any) -> None:
        # In Python a boolean is an integer, and in JSON 1 is a decimal as well as 1.0.
        fits = isinstance(value, (float, int) if wanted is float else wanted)
        if not fits or (isinstance(value, bool) and wanted is not bool):
            raise wrong_type(path, name or wanted, value)

    return check


def _one_of(*known: str, newer: tuple[str, ...] = ()) -> Check:
    """`newer`: values that clients send since the complaints were measured, which list none."""

    def check(path: str, value: Any) -> None:
        if not isinstance(value, str):
            raise wrong_type(path, f"one of {listed('or', *known)}", value)
        if value not in known and value not in newer:
            raise wrong_value(path, value, known)

    return check


def _at_least(least: int) -> Check:
    is_integer = _is_a(int)

    def check(path: str, value: Any) -> None:
        is_integer(path, value)
        if value < least:
            raise bad("too_small", path, least=least, got=value)

    return check


def _fields(**known: Check | None) -> Check:
    """An object that has none but these fields; those with a check are checked."""
    is_object = _is_a(dict)

    def check(path: str, value: Any) -> None:
        is_object(path, value)
        for name, inner in value.items():
            if name not in known:
                raise bad("unknown", f"{path}.{name}", help="")
            judge = known[name]
            if judge is not None and inner is not None:
                judge(f"{path}.{name}", inner)

    return check


def _metadata(path: str, value: Any) -> None:
    _is_a(dict, "a metadata object")(path, value)
    if len(value) > _METADATA_PROPERTIES_MAX:
        raise bad("many_properties", path, most=_METADATA_PROPERTIES_MAX, got=len(value))


_INCLUDABLE = (
    "file_search_call.results",
    "web_search_call.results",
    "web_search_call.action.sources",
    "message.input_image.image_url",
    "computer_call_output.output.image_url",
    "code_interpreter_call.outputs",
    "reasoning.encrypted_content",
    "message.output_text.logprobs",
)


def _include(path: str, value: Any) -> None:
    if not isinstance(value, list):
        short = (f"{known[:3]}...{known[-3:]}" for known in _INCLUDABLE)
        raise wrong_type(path, f"an array of one of {listed('or', *short)}", value)
    for at, member in enumerate(value):
        if member not in _INCLUDABLE:
            raise wrong_value(f"{path}[{at}]", member, _INCLUDABLE)


_FORMATS = ("json_object", "text", "json_schema")


def _format(path: str, value: Any) -> None:
    _is_a(dict)(path, value)
    kind = value.get("type")
    if kind not in _FORMATS:
        raise wrong_value(f"{path}.type", kind, _FORMATS)
    if kind == "json_schema" and not isinstance(value.get("name"), str):
        raise bad("missing", f"{path}.name")


_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


def _effort(path: str, value: Any) -> None:
    if isinstance(value, int) and not isinstance(value, bool):
        raise wrong_type(path, f"one of {listed('or', *_EFFORTS[1:5])}", value)
    if not isinstance(value, str):
        raise wrong_type(path, f"one of one of {listed('or', *_EFFORTS)} or integer", value)
    if value not in _EFFORTS:
        raise wrong_value(path, value, _EFFORTS)


BEFORE_TOOLS: dict[str, Check] = {
    "previous_response_id": _is_a(str),
    "prompt": _is_a(dict),
    "moderation": _is_a(dict),
    "include": _include,
}
"""Judged between `input` and `tools`."""

AFTER_TOOLS: dict[str, Check] = {
    "metadata": _metadata,
    "text": _fields(format=_format, verbosity=_one_of("low", "medium", "high")),
    "temperature": _is_a(float),
    "top_p": _is_a(float),
    "presence_penalty": _is_a(float),
    "frequency_penalty": _is_a(float),
    "parallel_tool_calls": _is_a(bool),
    "stream": _is_a(bool),
    "stream_options": _fields(include_obfuscation=_is_a(bool)),
    "background": _is_a(bool),
    "max_output_tokens": _at_least(OUTPUT_TOKENS_MIN),
    "max_tool_calls": _at_least(1),
    "reasoning": _fields(
        effort=_effort,
        summary=_one_of("concise", "detailed", "auto"),
        context=None,
        mode=None,
    ),
    "user": _is_a(str),
    "safety_identifier": _is_a(str),
    "prompt_cache_options": _fields(mode=None, ttl=None, comparison_response_id=None, prewarm=None),
    "prompt_cache_key": _is_a(str),
    "prompt_cache_retention": _one_of("in_memory", "24h"),
    "truncation": _one_of("auto", "disabled"),
    "instructions": _is_a(str),
    "store": _is_a(bool),
    "service_tier": _one_of("auto", "default", "fast", "flex", "priority", newer=("ultrafast",)),
    "top_logprobs": _is_a(int),
    "context_management": _is_a(list, "an array of objects"),
}
"""Judged after `tool_choice`."""

_KNOWN = frozenset(
    {
        "model",
        "input",
        "tools",
        "tool_choice",
        "conversation",
        # Of the current SDK, too new for the table of measurements:
        "access_programs",
        "background_options",
        "image",
        # What codex sends:
        "client_metadata",
        *BEFORE_TOOLS,
        *AFTER_TOOLS,
    }
)

_MOVED = {
    "messages": "input",
    "response_format": "text.format",
    "reasoning_effort": "reasoning.effort",
    "max_completion_tokens": "max_output_tokens",
}
"""Fields of Chat Completions, each with where it is here."""


def check_moved(request: Object) -> None:
    """Complain of the first field that belongs to Chat Completions."""
    for name in request:
        if name in _MOVED:
            raise bad("moved", name, to=_MOVED[name])


def check_known(request: Object) -> None:
    """Complain of the first field that there is not."""
    for name in request:
        if name not in _KNOWN:
            raise bad("unknown", name, help=_spelling_help(name, request))


def check_fields(request: Object, table: dict[str, Check]) -> None:
    """Judge the fields of a table, in its order."""
    for name, check in table.items():
        value = request.get(name)
        if value is not None:
            check(name, value)


def _spelling_help(name: str, request: Object) -> str:
    """`Did you mean ...?` with the known fields that are near, nearest first; none that the request
    has already."""
    near = sorted(
        (distance, known)
        for known in _KNOWN
        if known not in request
        and abs(len(known) - len(name)) <= _SPELLING_DISTANCE_MAX
        and (distance := _distance(name, known)) <= _SPELLING_DISTANCE_MAX
    )
    if not near:
        return ""
    return f" Did you mean {listed('or', *(known for _, known in near))}?"


def _distance(one: str, other: str) -> int:
    """How many letters must be put in, taken out or changed to make one of the other."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        before, row[0] = row[0], at
        for n, counterpart in enumerate(other, 1):
            cost = min(row[n] + 1, row[n - 1] + 1, before + (letter != counterpart))
            before, row[n] = row[n], cost
    return row[-1]
