"""The model writes a tool's name in another case than it was told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.last_call import last_call, with_name
from faultloop.fakes.reply import Reply

Case = Literal["camel", "pascal", "kebab", "upper", "joined"]

_CASES: Mapping[Case, Callable[[list[str]], str]] = MappingProxyType(
    {
        "camel": lambda words: words[0] + "".join(word.capitalize() for word in words[1:]),
        "pascal": lambda words: "".join(word.capitalize() for word in words),
        "kebab": "-".join,
        "upper": lambda words: "_".join(words).upper(),
        "joined": "".join,
    }
)
"""From the words of a name in snake case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecasedName(Fault):
    """The words of the last call's name are right, how they are joined is not."""

    kind: Literal["recased_name"] = "recased_name"
    case: Case = "camel"
    """How they are joined: `readFile`, `ReadFile`, `read-file`, `READ_FILE` or `readfile`."""

    def say(self, reply: Reply) -> Reply:
        """The same reply with its last call's name in that case."""
        call = last_call(reply)
        return with_name(reply, _CASES[self.case](call.tool.split("_"))) if call else reply
