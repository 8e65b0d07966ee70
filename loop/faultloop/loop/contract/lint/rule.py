"""What a rule of the linter is, and what it finds. A rule never fixes, guesses or weighs: it says
what it saw, where, and what to do about it (SPEC C8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from faultloop.loop.contract.lint.specimen import Specimen


class Spot(NamedTuple):
    """What a rule saw, and where."""

    tool: Specimen
    pointer: str
    """JSON pointer in the tool's source."""
    saw: str
    """A sentence with the value in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule."""

    id: str
    what: str
    """What trips it, in half a sentence."""
    why: str
    """What goes wrong with such a tool."""
    advice: str
    look: Callable[[Sequence[Specimen]], Iterator[Spot]]
    """Given all tools that a model would be offered together."""


def each(
    look: Callable[[Specimen], Iterable[Spot]],
) -> Callable[[Sequence[Specimen]], Iterator[Spot]]:
    """A look at all tools from a look at one."""

    def look_at_all(tools: Sequence[Specimen]) -> Iterator[Spot]:
        for tool in tools:
            yield from look(tool)

    return look_at_all


class Finding(NamedTuple):
    """A rule that was tripped."""

    rule: Rule
    spot: Spot
