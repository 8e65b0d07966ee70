"""A description that could stand before any tool.

Vague: fewer than `WORDS_MIN` words in all, or a first sentence whose verb says nothing (`GENERIC`)
and that has fewer than `WORDS_TO_MAKE_UP` words to make up for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.loop.contract.lint.rule import Rule, Spot, each
from faultloop.loop.contract.lint.specimen import Specimen
from faultloop.loop.contract.lint.words import first_word, sentences, words

WORDS_MIN = 4
WORDS_TO_MAKE_UP = 10
GENERIC = frozenset(
    {"handle", "manage", "process", "perform", "do", "work", "deal", "support", "provide", "help"}
    | {"interact", "use", "operate", "facilitate", "enable", "access", "tool", "utility", "helper"}
)


def _look(tool: Specimen) -> Iterator[Spot]:
    purpose = tool.contract.purpose
    first = next(iter(sentences(purpose)), "")
    pointer = tool.pointer("purpose")
    if len(words(purpose)) < WORDS_MIN:
        saw = f"all that it says of its purpose is {purpose!r}" if purpose else "it says no purpose"
        yield Spot(tool, pointer, saw)
    elif first_word(first) in GENERIC and len(words(first)) < WORDS_TO_MAKE_UP:
        yield Spot(tool, pointer, f"its verb says nothing: {first!r}")


RULE = Rule(
    id="vague",
    what="a description that is too short, or whose verb says nothing",
    why="the model cannot tell this tool from its neighbours, nor what calling it would change",
    advice="begin with the verb for what it does to which thing: `Append one line to a file`",
    look=each(_look),
)
