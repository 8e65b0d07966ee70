"""Nothing says when to use the tool: neither a part of its own nor its free text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from faultloop.loop.contract.lint.rule import Rule, Spot, each
from faultloop.loop.contract.lint.specimen import Specimen

WORDS = re.compile(
    r"\buse (?:it|this)\b|\bwhen(?:ever)?\b|\buse(?:d|ful)? (?:for|to|if)\b|\bif you\b",
    re.IGNORECASE,
)


def _look(tool: Specimen) -> Iterator[Spot]:
    if not tool.says("when", WORDS):
        yield Spot(tool, tool.pointer("when"), "it does not say when to use it")


RULE = Rule(
    id="no-when",
    what="nothing says when to use the tool",
    why="models choose tools by their descriptions; what is not said is guessed from the name",
    advice="say in one sentence which situation calls for it",
    look=each(_look),
)
