"""The model spells a tool's name with a letter that only looks like the right one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.last_call import last_call, with_name
from faultloop.fakes.reply import Reply

TWINS: Mapping[str, str] = MappingProxyType(
    {
        "a": "\u0430",
        "c": "\u0441",
        "e": "\u0435",
        "i": "\u0456",
        "o": "\u043e",
        "p": "\u0440",
        "s": "\u0455",
        "x": "\u0445",
        "y": "\u0443",
    }
)
"""Latin letters and the Cyrillic ones that look the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomoglyphName(Fault):
    """The first letter of the last call's name that has a Cyrillic twin is that twin."""

    kind: Literal["homoglyph_name"] = "homoglyph_name"

    def say(self, reply: Reply) -> Reply:
        """The same reply with its last call misspelt beyond what a reader can see."""
        call = last_call(reply)
        if call is None:
            return reply
        at = next((at for at, letter in enumerate(call.tool) if letter in TWINS), None)
        if at is None:
            return reply
        return with_name(reply, call.tool[:at] + TWINS[call.tool[at]] + call.tool[at + 1 :])
