"""What the view says, in tables: how a state looks, what an end means, how much is shown.

Foreign text (the model's, a tool's) is made harmless before it reaches a terminal: a control
character would move the cursor, ring, or rewrite what a person has just read and is asked to
permit.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from faultloop.bench.chat.screen import CardState, Lane, Tone
from faultloop.loop.events import EndReason


class Look(NamedTuple):
    """How something is drawn."""

    glyph: str
    word: str
    style: str


CARDS: Mapping[CardState, Look] = MappingProxyType(
    {
        "queued": Look("○", "queued", "dim"),
        "asked": Look("?", "asks for permission", "bold yellow"),
        "running": Look("◐", "running", "cyan"),
        "ok": Look("●", "ok", "green"),
        "failed": Look("●", "failed", "red"),
        "unknown": Look("●", "outcome unknown", "bold magenta"),
        "not_executed": Look("○", "not executed", "yellow"),
    }
)

LANES: Mapping[Lane, Look] = MappingProxyType(
    {
        "prompt": Look("›", "", "bold"),
        "steer": Look("»", "steering", "bold"),
        "follow_up": Look("›", "follow-up", "bold"),
    }
)

TONES: Mapping[Tone, str] = MappingProxyType(
    {"plain": "dim", "good": "green", "warning": "yellow", "error": "red"}
)

ENDS: Mapping[EndReason, tuple[str, Tone]] = MappingProxyType(
    {
        "completed": ("done", "good"),
        "blocked": ("stopped: blocked", "warning"),
        "max_tokens": ("stopped: a reply was cut at its length limit", "warning"),
        "max_steps": ("stopped: the steps are used up", "warning"),
        "timeout": ("stopped: the time is up", "warning"),
        "token_budget": ("stopped: the tokens are used up", "warning"),
        "cost_budget": ("stopped: the budget is used up", "warning"),
        "aborted": ("cancelled", "warning"),
        "error": ("failed", "error"),
        "interrupted": ("interrupted: its process vanished", "warning"),
    }
)
"""What the end of a turn means to a person, by its end reason (SPEC L11)."""

CONTENT_LINES_MAX: Mapping[CardState, int] = MappingProxyType(
    {"ok": 3, "failed": 6, "unknown": 12, "not_executed": 6}
)
"""How many lines of a result are shown; what a person may have to act on is shown longer."""

PASSES = "\n\t\u200d"
"""What is no printable character and is let through: the last joins the parts of one emoji."""
OF_DIRECTION = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that reorder what stands beside them, so that a command reads as another one."""
CONTROL_PICTURES = 0x2400


def harmless(text: str) -> str:
    """The text with every control character as its picture; line breaks and tabs stay."""
    return "".join(map(_pictured, text.replace("\r\n", "\n")))


def _pictured(char: str) -> str:
    if char in PASSES or (char.isprintable() and char not in OF_DIRECTION):
        return char
    if ord(char) < 0x20:
        return chr(CONTROL_PICTURES + ord(char))
    return " " if unicodedata.category(char) == "Zs" else "�"


def in_short(arguments: str) -> str:
    """The arguments of a call in one line: `path="a.txt" line=3`; foreign text as it is."""
    try:
        given = json.loads(arguments)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        return re.sub(r"\s+", " ", harmless(arguments)).strip()
    return harmless(" ".join(f"{name}={_spelt(value)}" for name, value in given.items()))


def in_full(arguments: str) -> str:
    """The arguments as a person reads them before permitting: each on its own line, texts as they
    are, nothing left out."""
    try:
        given = json.loads(arguments)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        return harmless(arguments)
    lines = []
    for name, value in given.items():
        text = value if isinstance(value, str) else _spelt(value)
        text = text.removesuffix("\n")
        lines.append(f"{name}:\n{_indented(text)}" if "\n" in text else f"{name}: {text}")
    return harmless("\n".join(lines))


def first_lines(text: str, lines_max: int) -> str:
    """The first lines, and how many more there are."""
    lines = harmless(text).strip("\n").split("\n")
    more = len(lines) - lines_max
    if more <= 0:
        return "\n".join(lines)
    return "\n".join([*lines[:lines_max], f"… {more} more {'line' if more == 1 else 'lines'}"])


def _spelt(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))
