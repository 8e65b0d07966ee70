"""A call's argument text as the `input` of a `tool_use` block, which is a JSON value and no text.

A stream carries the text as it is, and what a client holds in the end is what a partial reader
makes of it: the first value in it, as far as it is there (the SDK's jiter: members that are not
complete are left out, what follows the value is not looked at). A whole message says just that, so
that both ways lead to the same block. Text in which no JSON begins cannot be an `input` at all; it
is sent as the JSON string of itself, as gateways do that never decoded it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import msgspec

_NO_JSON = (msgspec.DecodeError, ValueError, RecursionError)  # ValueError: lone surrogates
_CLOSING = {"{": "}", "[": "]"}
_CUTS_MAX = 4
"""How many places are tried, from the end, at which text could be cut. Only what is no JSON needs
more than two."""

_CUT_WORD = re.compile(r"-|\.|[eE][+-]?|t|tr|tru|f|fa|fal|fals|n|nu|nul")
"""What is left of a number or a name that was cut."""
_CUT_ESCAPE = re.compile(r"u?[0-9a-fA-F]{0,4}")

_value = msgspec.json.Decoder().decode
_scan = json.JSONDecoder().raw_decode
_encode = msgspec.json.Encoder().encode


def spelt(value: object) -> bytes:
    """JSON of a value. Half a surrogate pair, which UTF-8 cannot say, is escaped."""
    try:
        return _encode(value)
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"), default=_decoded).encode()


def _decoded(raw: msgspec.Raw) -> object:
    return json.loads(bytes(raw))


def tool_input(arguments: str) -> bytes:
    """The JSON of a call's `input`."""
    text = arguments.strip()
    if not text:
        return b"{}"
    for candidate in _candidates(text):
        try:
            _value(candidate)
            return msgspec.json.format(candidate.encode(), indent=-1)
        except _NO_JSON:
            continue
    return spelt(arguments)


def _candidates(text: str) -> Iterator[str]:
    """What may be the value at the beginning of the text, the longest first."""
    try:
        _, end = _scan(text)
    except json.JSONDecodeError as wrong:
        if _is_cut(text, wrong):
            yield from _closed(text)
    except RecursionError:
        return
    else:
        yield text[:end]


def _is_cut(text: str, wrong: json.JSONDecodeError) -> bool:
    """Whether nothing is wrong with the text but that it stops too early."""
    if wrong.msg.startswith("Unterminated string"):
        return True
    rest = text[wrong.pos :]
    if wrong.msg.startswith("Invalid \\uXXXX escape"):
        return _CUT_ESCAPE.fullmatch(rest) is not None
    return not rest or _CUT_WORD.fullmatch(rest) is not None


def _closed(text: str) -> list[str]:
    """The text, cut where a value may be over, with its brackets closed."""
    if text[0] not in _CLOSING:
        return []
    open_: list[str] = []
    cuts: list[tuple[int, str]] = []
    is_string = is_escaped = False
    for at, char in enumerate(text):
        if is_string:
            if not is_escaped and char == '"':
                is_string = False
            is_escaped = char == "\\" and not is_escaped
        elif char == '"':
            is_string = True
        elif char in _CLOSING:
            open_.append(_CLOSING[char])
            cuts.append((at + 1, "".join(reversed(open_))))
        elif char in "}]":
            if not open_:
                break
            open_.pop()
        elif char == ",":
            cuts.append((at, "".join(reversed(open_))))
    if not is_string:
        cuts.append((len(text), "".join(reversed(open_))))
    return [text[:at] + rest for at, rest in reversed(cuts[-_CUTS_MAX:])]
