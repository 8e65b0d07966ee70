"""JSON as Google's servers write it.

Whole answers are indented by two and end in a newline; in an event stream a colon is followed by a
space and a comma by nothing. In both, `<` and `>` are escaped, and so are the control and format
characters that protobuf's json_escaping.cc names, while other text goes as UTF-8.
"""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

_ESCAPED = re.compile(
    "[<>\x7f-\x9f\xad\u0600-\u0603\u06dd\u070f\u17b4\u17b5\u200b-\u200f\u2028-\u202e"
    "\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]"
)
"""What JSON allows as it is and protobuf escapes all the same; none of it has a place outside of
strings."""

_LONE = re.compile("[\ud800-\udfff]")
"""Halves of a pair, which UTF-8 cannot carry and protobuf replaces."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ": ")).encode


def compact(value: Any) -> str:
    """A value as it stands in an event stream."""
    text = _encode(value)
    if text.isascii() and not ("<" in text or ">" in text or "\x7f" in text):
        return text  # nearly all there is to say
    return _ESCAPED.sub(_escape, _LONE.sub("\ufffd", text))


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def document(value: Any) -> bytes:
    """A value as a whole body."""
    return indented(value) + b"\n"


def indented(value: Any) -> bytes:
    """A value indented, without the newline at its end."""
    return msgspec.json.format(compact(value).encode(), indent=2)
