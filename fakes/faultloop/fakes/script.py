"""What the scripted model says, as data.

A script is a list of turns, one for each message that the user sends; a turn is a list of steps,
one for each reply of the model. Nothing here moves: where a play stands in its script is found
anew for every request by `marks` (lineage), never by counting requests.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Literal

from faultloop.fakes.recorded import Recorded

Finish = Literal["stop", "tool_calls", "length", "content_filter"]
"""Finish reasons in OpenAI's words; each dialect translates them into its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedCall:
    """One tool call that the model makes."""

    tool: str
    arguments: str
    """JSON text exactly as the model writes it."""
    id: str | None = None
    """The id that it was recorded with; None: it gets one of the play's own."""

    @classmethod
    def of(cls, tool: str, args: dict[str, Any], *, id_: str | None = None) -> ScriptedCall:
        """A call with well-formed arguments, written as models write them: compact JSON."""
        text = json.dumps(args, ensure_ascii=False, separators=(",", ":"))
        return cls(tool=tool, arguments=text, id=id_)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One reply of the model before any fault touches it."""

    say: str = ""
    think: str = ""
    """What it thinks before it speaks, where its dialect tells that."""
    calls: tuple[ScriptedCall, ...] = ()
    finish: Finish | None = None
    """None: `tool_calls` where there are calls, else `stop`."""
    recorded: Recorded | None = None
    """The reply as it was on the wire, where it was recorded."""
    failures: tuple[Recorded, ...] = ()
    """Failures that were recorded before it: the first tries are answered with them."""

    @property
    def finish_reason(self) -> Finish:
        """The reason that goes on the wire."""
        return self.finish or ("tool_calls" if self.calls else "stop")


@dataclass(frozen=True, kw_only=True)
class Script:
    """Everything that the model will say in one play. Without slots: it keeps what follows from it,
    for all plays that have it."""

    turns: tuple[tuple[Step, ...], ...]
    """turns[n] answers the user's message n; every turn has at least one step."""

    @cached_property
    def steps_before(self) -> tuple[int, ...]:
        """By turn: how many steps the turns before it have."""
        return tuple(accumulate(map(len, self.turns[:-1]), initial=0))

    @cached_property
    def is_recorded(self) -> bool:
        """Whether any of it was recorded."""
        return any(step.recorded for steps in self.turns for step in steps)
