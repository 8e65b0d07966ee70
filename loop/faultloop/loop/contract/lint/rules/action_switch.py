"""Several purposes, risks or formats behind one `action` parameter.

A parameter is a switch if its name says so (`STRONG`), or if its name could (`WEAK`) and two of its
values are verbs.
"""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.loop.contract.lint.rule import Rule, Spot, each
from faultloop.loop.contract.lint.specimen import Specimen
from faultloop.loop.contract.lint.words import CHANGING, READING, first_word

STRONG = frozenset({"action", "operation", "op", "verb", "task", "subcommand", "sub_command"})
WEAK = frozenset({"mode", "type", "kind", "method", "command", "function", "what", "do"})


def _look(tool: Specimen) -> Iterator[Spot]:
    for parameter in tool.parameters():
        name = parameter.name.casefold()
        options = [str(option) for option in parameter.schema.get("enum") or ()]
        verbs = [first_word(option) for option in options]
        reads = [verb for verb in verbs if verb in READING]
        changes = [verb for verb in verbs if verb in CHANGING]
        switch = name in STRONG and len(options) != 1
        if not switch and not (name in WEAK and len(reads) + len(changes) > 1):
            continue
        told = f"{parameter.name} switches between {', '.join(options)}"
        if not options:
            told = f"{parameter.name} says what to do, in words that no schema limits"
        if reads and changes:
            told += "; some of it reads and some changes things, under one risk"
        yield Spot(tool, tool.pointer("parameters", parameter.pointer), told)


RULE = Rule(
    id="action-switch",
    what="one parameter chooses between several purposes",
    why="one description cannot say when to use each, one risk covers the reads and the deletions,"
    " and most parameters are wrong for most actions",
    advice="make one tool of each action, named by its verb, with the parameters that it needs",
    look=each(_look),
)
