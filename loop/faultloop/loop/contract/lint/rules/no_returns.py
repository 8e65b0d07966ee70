"""Nothing says what comes back, neither a part of its own nor the purpose."""

from __future__ import annotations

import re
from collections.abc import Iterator

from faultloop.loop.contract.lint.rule import Rule, Spot, each
from faultloop.loop.contract.lint.specimen import Specimen

WORDS = re.compile(
    r"\breturn(?:s|ed)?\b|\bgives?\b|\banswers?\b|\byields?\b|\boutputs?\b|\bresults?\b",
    re.IGNORECASE,
)


def _look(tool: Specimen) -> Iterator[Spot]:
    if not tool.says("returns", WORDS):
        yield Spot(tool, tool.pointer("returns"), "it does not say what comes back")


RULE = Rule(
    id="no-returns",
    what="nothing says what comes back",
    why="the model plans its next step on a guess, and calls again to see what it got",
    advice="say the form and content of a result in one sentence",
    look=each(_look),
)
