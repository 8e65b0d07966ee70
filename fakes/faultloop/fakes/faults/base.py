"""What every fault says, and the five places where a fault can strike.

A fault is one frozen value in one file: a sentence, fields with units, one method. Where it strikes
is `at`; how often is `times`. Model faults belong to what the model says, so they strike every time
that their step is served; all others strike `times` times and are then used up. One with a `chance`
strikes a part of these times: which, a hash decides and no generator, so that whatever else happens
in a play does not move it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from faultloop.fakes.reply import Item, Reply
from faultloop.fakes.wire import Acts

ANY_STEP = 0
ANY_TOOL = "*"


class Site(NamedTuple):
    """A fault's `at`, parsed."""

    step: int | None
    """Step of the script, from 1, counted through all turns, or ANY_STEP; or"""
    tool: str | None
    """a tool of the world, or ANY_TOOL, and"""
    occurrence: int
    """from which invocation of that tool on (1 is the first)."""

    def is_at_step(self, step: int) -> bool:
        """Whether this step is meant; what is no step of the script (0) never is."""
        return step > 0 and self.step in (step, ANY_STEP)

    def is_at_tool(self, tool: str, occurrence: int) -> bool:
        """Whether this invocation of this tool is meant."""
        return self.tool in (tool, ANY_TOOL) and self.occurrence <= occurrence


_SITE = re.compile(
    r"(?P<any>any )?(?:step(?P<step> [1-9]\d*)?|tool(?P<tool> [A-Za-z_]\w*)?(?P<from> [1-9]\d*)?)"
)


def parse_site(at: str) -> Site:
    """Read `step 2`, `any step`, `tool append_file`, `tool append_file 2` or `any tool`.

    Raises ValueError with a sentence for anything else.
    """
    match = _SITE.fullmatch(at)
    if match is None or bool(match["any"]) == bool(match["step"] or match["tool"]):
        raise ValueError(
            f"{at!r} is no place for a fault: write 'step N', 'any step', 'tool NAME', "
            "'tool NAME N' or 'any tool'"
        )
    if "step" in at.split():
        return Site(int(match["step"] or ANY_STEP), None, 1)
    return Site(None, (match["tool"] or ANY_TOOL).strip(), int(match["from"] or 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """The fields that all faults share."""

    kind: str = ""
    """Its name in scenario files and in the table KINDS; every fault fixes its own."""
    at: str
    """Where it strikes: `step N` or `any step` for model, HTTP, stream and byte faults, `tool NAME
    [N]` or `any tool` for tools."""
    times: int = 1
    """How often it strikes (model faults: ignored, they are part of what is said)."""
    chance: float = 1.0
    """How likely it strikes each time that it could, above 0 and at most 1; which times these are
    is a hash of the seed, its kind, the place and how often the play was there."""


_LEAST = {
    "after_bytes": 0,
    "after_deltas": 0,
    "by_bytes": 1,
    "bytes": 1,
    "bytes_per_s": 1,
    "chars": 1,
    "every": 1,
    "keep_chars": 0,
    "keep_pieces": 0,
    "retry_after_s": 0,
    "seconds": 0,
    "times": 1,
}
"""Of fields that say how much of something: the least that means anything."""


def too_small(fault: Fault) -> Iterator[tuple[str, int]]:
    """The fields of a fault that say less than means anything, each with the least that does."""
    for field, least in _LEAST.items():
        value = getattr(fault, field, None)
        if value is not None and value < least:
            yield field, least


class HttpFailure(NamedTuple):
    """An HTTP answer in place of the model's reply."""

    status: int
    code: str | None = None
    """The provider's own error code (`rate_limit_exceeded`), where it gives one."""
    message: str = ""
    """Empty: what the dialect says itself, status and code included (`dialects.failing`)."""
    retry_after_s: float | None = None
    page: str | None = None
    """HTML of a gateway that answers in place of the provider."""


@runtime_checkable
class ModelFault(Protocol):
    """Changes what the model says."""

    def say(self, reply: Reply) -> Reply:
        """The reply that is sent instead. Ids it only changes where that is what it is for.

        An equal reply means that there was nothing to strike: the fault did not fire.
        """
        ...


@runtime_checkable
class HttpFault(Protocol):
    """Answers a provider request with an HTTP error."""

    def answer(self) -> HttpFailure:
        """The failure that is sent instead of a reply."""
        ...


@runtime_checkable
class StreamFault(Protocol):
    """Changes the sequence of deltas of a reply; needs a streamed column."""

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The sequence that is sent instead; an equal one means that it did not fire."""
        ...


@runtime_checkable
class ByteFault(Protocol):
    """Changes how the bytes of a reply travel, below every dialect, streamed or whole."""

    def travel(self, acts: Acts) -> Acts:
        """The acts that are done instead.

        Equal ones (as far as the wire can show a difference) mean that it did not fire.
        """
        ...


class Drift(NamedTuple):
    """How a tool's parameters change between two listings."""

    parameter: str
    """The parameter that changes."""
    renamed: str | None
    """Its new name; None: it keeps its name and has to be given from now on."""


class Gateway(NamedTuple):
    """How a struck invocation of a tool goes; the stage obeys it."""

    refuse: int | None = None
    """HTTP status answered before the work begins (no effect)."""
    raises: str | None = None
    """The tool fails before its effect with this message (500 TOOL_FAILED)."""
    hold: bool = False
    """Work waits at the gate until the bench opens it or the subject lets go."""
    last: bool = False
    """Work waits until the other calls of its batch are over, or are not going to come."""
    hang: bool = False
    """Never answered, no effect."""
    lose: int | None = None
    """HTTP status answered after the effect was applied."""
    pad_bytes: int = 0
    """The result's data is this much longer."""
    deaf: bool = False
    """The work goes on although the subject lets go of it."""
    drops: bool = False
    """The effect is applied, and the connection breaks in place of an answer."""
    twice: bool = False
    """The world gets the call two times, and the subject the answer to the first."""
    copies: int = 1
    """How often the answer arrives."""
    stale: bool = False
    """A tool that reads is answered with what there was before the last effect."""
    cut_chars: int = 0
    """Longer data come in pieces of so many characters; 0: whole."""
    binary_bytes: int = 0
    """The output is so many bytes that are no text."""
    surrogate: bool = False
    """The output holds half of a surrogate pair."""
    drift: Drift | None = None
    """The parameters change; strikes no invocation, but all that is said of the tool after it."""


@runtime_checkable
class ToolFault(Protocol):
    """Changes how one invocation of a tool goes."""

    def gateway(self) -> Gateway:
        """What happens to the invocation."""
        ...
