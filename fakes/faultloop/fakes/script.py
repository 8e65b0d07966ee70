"""What the scripted model says, as data.

A script is a list of turns, one for each message that the user sends; a turn is a list of steps,
one for each reply of the model. Nothing here moves: where a play stands in its script is found
anew for every request by `marks` (lineage), never by counting requests.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

Finish = Literal["stop", "tool_calls", "length", "content_filter"]
"""Finish reasons in OpenAI's words; each dialect translates them into its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedCall:
    """One tool call that the model makes."""

    tool: str
    arguments: str
    """JSON text exactly as the model writes it."""

    @classmethod
    def of(cls, tool: str, args: dict[str, Any]) -> ScriptedCall:
        """A call with well-formed arguments, written as models write them: compact JSON."""
        text = json.dumps(args, ensure_ascii=False, separators=(",", ":"))
        return cls(tool=tool, arguments=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One reply of the model before any fault touches it."""

    say: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    finish: Finish | None = None
    """None: `tool_calls` where there are calls, else `stop`."""

    @property
    def finish_reason(self) -> Finish:
        """The reason that goes on the wire."""
        return self.finish or ("tool_calls" if self.calls else "stop")


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """Everything that the model will say in one play."""

    turns: tuple[tuple[Step, ...], ...]
    """turns[n] answers the user's message n; every turn has at least one step."""
