"""Words of the runtime in what the model reads (SPEC C1)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from faultloop.loop.contract.lint.rule import Rule, Spot, each
from faultloop.loop.contract.lint.specimen import Specimen

WORDS = re.compile(
    r"\bread_?only(?:Hint)?\b(?=\s*[:=])|\b(?:readOnly|destructive|idempotent|openWorld)Hint\b"
    r"|\bconcurrency[_ -]?safe\w*|\bidempoten\w+|\bcancell?able\b|\boutput_?budget\w*"
    r"|\b(?:low|medium|high)[ -]risk\b|\brisk(?: level)?\s*[:=]|\bapproval tier\b|\bsandbox\w*"
    r"|\bhonours?_?key\b|\bverify_?with\b|\bfaultloop/\w+",
    re.IGNORECASE,
)


def _look(tool: Specimen) -> Iterator[Spot]:
    leaked = WORDS.search(tool.text)
    if leaked is not None:
        saw = f"its description speaks of the runtime: {leaked[0]}"
        yield Spot(tool, tool.pointer("purpose"), saw)
    leaked = WORDS.search(json.dumps(tool.contract.parameters))
    if leaked is not None:
        saw = f"its parameters speak of the runtime: {leaked[0]}"
        yield Spot(tool, tool.pointer("parameters"), saw)


RULE = Rule(
    id="runtime-leak",
    what="the runtime's words in what the model reads",
    why="a model that knows what is approved, retried or sandboxed argues with it, and text is no"
    " place to enforce it",
    advice="declare it in the contract's runtime fields, and tell the model what to do instead",
    look=each(_look),
)
