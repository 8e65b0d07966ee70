"""What every fault says, and the four places where a fault can strike.

A fault is one frozen value in one file: a sentence, fields with units, one method. Where it strikes
is `at`; how often is `times`. Model faults belong to what the model says, so they strike every time
that their step is served; all others strike `times` times and are then used up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from faultloop.fakes.reply import Item, Reply


class Site(NamedTuple):
    """A fault's `at`, parsed."""

    step: int | None
    """Step of the script, from 1, counted through all turns; or"""
    tool: str | None
    """a tool of the world, and"""
    occurrence: int
    """from which invocation of that tool on (1 is the first)."""


_SITE = re.compile(r"step (?P<step>[1-9]\d*)|tool (?P<tool>\w+)(?: (?P<occurrence>[1-9]\d*))?")


def parse_site(at: str) -> Site:
    """Read `step 2`, `tool append_file` or `tool append_file 2`.

    Raises ValueError with a sentence for anything else.
    """
    match = _SITE.fullmatch(at)
    if match is None:
        raise ValueError(
            f"{at!r} is no place for a fault: write 'step N', 'tool NAME' or 'tool NAME N'"
        )
    step = int(match["step"]) if match["step"] else None
    return Site(step, match["tool"], int(match["occurrence"] or 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """The fields that all faults share."""

    kind: str = ""
    """Its name in scenario files and in the table KINDS; every fault fixes its own."""
    at: str
    """Where it strikes: `step N` for model, HTTP and stream faults, `tool NAME [N]` for tools."""
    times: int = 1
    """How often it strikes (model faults: ignored, they are part of what is said)."""


class HttpFailure(NamedTuple):
    """An HTTP answer in place of the model's reply."""

    status: int
    code: str | None
    """The provider's own error code (`rate_limit_exceeded`), where it gives one."""
    message: str
    retry_after_s: float | None = None
    page: str | None = None
    """HTML of a gateway that answers in place of the provider."""


@runtime_checkable
class ModelFault(Protocol):
    """Changes what the model says."""

    def say(self, reply: Reply) -> Reply:
        """The reply that is sent instead; must not change ids.

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


@runtime_checkable
class ToolFault(Protocol):
    """Changes how one invocation of a tool goes."""

    def gateway(self) -> Gateway:
        """What happens to the invocation."""
        ...
