"""All parameters optional, and the defaults do the most damage.

Dangerous: the tool changes things, and its name or first sentence destroys (`DESTROYING`) or a
default says everything (`EVERYTHING`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from faultloop.loop.contract.lint.rule import Rule, Spot, each
from faultloop.loop.contract.lint.specimen import Specimen
from faultloop.loop.contract.lint.words import DESTROYING, first_word, name_words

EVERYTHING = ("/", "*", ".", "~", "all", "**")
FORCING = frozenset({"force", "recursive", "all", "overwrite", "yes"})


def _look(tool: Specimen) -> Iterator[Spot]:
    contract = tool.contract
    if not contract.properties or contract.required or contract.read_only:
        return
    for name, schema in contract.properties.items():
        default = schema.get("default") if isinstance(schema, dict) else None
        if default in EVERYTHING or (default is True and name in FORCING):
            saw = f"nothing is required, and {name} is {json.dumps(default)} if it is left out"
            yield Spot(tool, tool.pointer("parameters", f"/properties/{name}/default"), saw)
            return
    words = {*name_words(tool.name), first_word(contract.purpose)}
    if words & DESTROYING:
        saw = f"it can {min(words & DESTROYING)}, and nothing is required"
        yield Spot(tool, tool.pointer("parameters"), saw)


RULE = Rule(
    id="dangerous-defaults",
    what="a tool that destroys, all of whose parameters are optional",
    why="an empty or cut argument object is valid, and does the most that the tool can do",
    advice="require the parameter that says what to destroy, and let nothing mean everything",
    look=each(_look),
)
