"""Nothing says when to leave the tool alone, nor what to use instead."""

from __future__ import annotations

import re
from collections.abc import Iterator

from faultloop.loop.contract.lint.rule import Rule, Spot, each
from faultloop.loop.contract.lint.specimen import Specimen

WORDS = re.compile(
    r"\b(?:do not|don't|never|not) (?:use|call|for|to|when|if)\b|\binstead\b|\brather than\b"
    r"|\buse (?:\w+_\w+|the [\w ]{3,30}) (?:for|to)\b|\b(?:to|for) [^.]{3,60}\buse \w+_\w+",
    re.IGNORECASE,
)


def _look(tool: Specimen) -> Iterator[Spot]:
    if not tool.says("when_not", WORDS):
        yield Spot(tool, tool.pointer("when_not"), "it does not say when not to use it")


RULE = Rule(
    id="no-when-not",
    what="nothing says when to leave the tool alone, or what to use instead",
    why="a tool without a limit is tried for everything near it, most of all where two overlap",
    advice="name the nearest case that it is not for, and the tool that is",
    look=each(_look),
)
